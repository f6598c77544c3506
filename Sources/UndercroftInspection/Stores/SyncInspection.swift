public import UndercroftFoundation

/// The functions that show the synchronisation of one format of databases, without changing a
/// database.
public struct SyncInspection: Sendable {
  /// A closure that returns whether the database at a location is synchronised.
  public let isSynchronised: @Sendable (_ database: URL) throws -> Bool

  /// A closure that returns the scopes of a database, with the progress of each scope.
  public let status: @Sendable (_ database: URL) throws -> [InspectedSyncScope]

  /// A closure that returns at most `limit` local changes that the server has not confirmed, oldest
  /// first.
  public let queue: @Sendable (_ database: URL, _ limit: Int?) throws -> [InspectedSyncEntry]

  /// A closure that returns at most `limit` conflicts, oldest first.
  public let conflicts: @Sendable (_ database: URL, _ limit: Int?) throws -> [InspectedSyncEntry]

  /// A closure that returns what is known about one conflict, with the values of both sides.
  public let conflict:
    @Sendable (_ database: URL, _ identifier: String) throws
      -> [InspectedSyncEntry]

  /// A closure that returns the reasons for the values of a row.
  public let explanation:
    @Sendable (_ database: URL, _ table: String, _ row: String) throws
      -> [InspectedSyncEntry]

  /// A closure that returns the digest of each scope, by which the rows of two devices are
  /// compared.
  public let digests: @Sendable (_ database: URL) throws -> [InspectedSyncDigest]

  /// Creates the functions of a format.
  public init(
    isSynchronised: @escaping @Sendable (_ database: URL) throws -> Bool,
    status: @escaping @Sendable (_ database: URL) throws -> [InspectedSyncScope],
    queue: @escaping @Sendable (_ database: URL, _ limit: Int?) throws -> [InspectedSyncEntry],
    conflicts: @escaping @Sendable (_ database: URL, _ limit: Int?) throws -> [InspectedSyncEntry],
    conflict:
      @escaping @Sendable (_ database: URL, _ identifier: String) throws
      -> [InspectedSyncEntry],
    explanation:
      @escaping @Sendable (_ database: URL, _ table: String, _ row: String) throws
      -> [InspectedSyncEntry],
    digests: @escaping @Sendable (_ database: URL) throws -> [InspectedSyncDigest]
  ) {
    self.isSynchronised = isSynchronised
    self.status = status
    self.queue = queue
    self.conflicts = conflicts
    self.conflict = conflict
    self.explanation = explanation
    self.digests = digests
  }
}

/// The part that a database has in the synchronisation of a scope.
public enum SyncRole: String, Sendable, Equatable {
  /// The database belongs to a device.
  case device = "device"
  /// The database belongs to a server.
  case server = "server"
}

/// A scope that a database synchronises.
public struct InspectedSyncScope: Sendable, Equatable {
  /// A property of a scope, such as the number of changes that wait to be sent.
  public struct Fact: Sendable, Equatable {
    /// The name of the property.
    public let name: String
    /// The value of the property.
    public let value: ResultValue
    /// Whether ``value`` is a time in milliseconds since 1970.
    public let isTime: Bool

    /// Creates a property.
    public init(_ name: String, _ value: ResultValue) {
      self.name = name
      self.value = value
      isTime = false
    }

    /// Creates a property whose value is a time in milliseconds since 1970, or absent.
    public init(_ name: String, milliseconds: Int64?) {
      self.name = name
      value = milliseconds.map { .integer($0) } ?? .absent
      isTime = true
    }
  }

  /// The name of the scope.
  public let name: String
  /// The part that the database has.
  public let role: SyncRole
  /// The progress and the other properties of the scope.
  public let facts: [Fact]

  /// Creates the description of a scope.
  public init(name: String, role: SyncRole, facts: [Fact]) {
    self.name = name
    self.role = role
    self.facts = facts
  }
}

/// The digest of the rows of a scope that the server has confirmed.
///
/// Two databases with the same version and the same digest have the same rows.
public struct InspectedSyncDigest: Sendable, Equatable {
  /// The name of the scope.
  public let scope: String
  /// The part that the database has.
  public let role: SyncRole
  /// The version of the scope up to which the digest contains all changes, or `nil` if the database
  /// has no digest at present, because it is receiving rows.
  public let version: Int64?
  /// The number of rows.
  public let rowCount: Int64?
  /// The digest as 16 hexadecimal digits.
  public let digits: String?

  /// Creates a digest.
  public init(scope: String, role: SyncRole, version: Int64?, rowCount: Int64?, digits: String?) {
    self.scope = scope
    self.role = role
    self.version = version
    self.rowCount = rowCount
    self.digits = digits
  }
}
