public import UndercroftFoundation

/// The functions that show the applied migrations of one format of databases.
public struct MigrationInspection: Sendable {
  /// A closure that returns the migration history of the database at a location, without changing
  /// the database.
  public let history: @Sendable (_ database: URL) throws -> InspectedMigrations

  /// Creates the functions of a format.
  public init(history: @escaping @Sendable (_ database: URL) throws -> InspectedMigrations) {
    self.history = history
  }
}

/// The migration history of a database.
public struct InspectedMigrations: Sendable, Equatable {
  /// One version that a database has had.
  public struct Version: Sendable, Equatable {
    /// The position in the history, from 1, or `nil` if the history has no order.
    public let position: Int64?
    /// The name of the version.
    public let name: String
    /// The time at which the version was reached, as stored, or `nil` if it is not recorded.
    public let appliedAt: String?
    /// The way in which the database reached the version, such as "step", or `nil` if it is not
    /// recorded.
    public let origin: String?
    /// Whether the history contains the SQL that reverts the version, or `nil` if this kind of
    /// history never does.
    public let isRevertible: Bool?

    /// Creates a version.
    public init(
      position: Int64?, name: String, appliedAt: String?, origin: String?, isRevertible: Bool?
    ) {
      self.position = position
      self.name = name
      self.appliedAt = appliedAt
      self.origin = origin
      self.isRevertible = isRevertible
    }
  }

  /// A migration that has begun and has not ended.
  public struct Unfinished: Sendable, Equatable {
    /// The version at which the migration began.
    public let start: String
    /// The version of the step of which only a part of the rows may have been changed, or `nil` if
    /// there is none.
    public let partialVersion: String?
    /// The name of the file beside the database that contains the database as it was at ``start``,
    /// or `nil` if there is none.
    public let snapshot: String?

    /// Creates the description of an unfinished migration.
    public init(start: String, partialVersion: String?, snapshot: String?) {
      self.start = start
      self.partialVersion = partialVersion
      self.snapshot = snapshot
    }
  }

  /// The library that recorded the versions, such as "undercroft", or `nil` if the database has no
  /// migration history.
  public let recorder: String?
  /// The versions, oldest first.
  public let versions: [Version]
  /// The migration that has begun and has not ended, or `nil` if there is none.
  public let unfinished: Unfinished?
  /// The number of the version that the header of the database contains, or 0 if it contains none.
  public let userVersion: Int64

  /// Creates a migration history.
  public init(
    recorder: String?, versions: [Version], unfinished: Unfinished?, userVersion: Int64
  ) {
    self.recorder = recorder
    self.versions = versions
    self.unfinished = unfinished
    self.userVersion = userVersion
  }
}
