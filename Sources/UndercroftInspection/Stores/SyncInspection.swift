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
