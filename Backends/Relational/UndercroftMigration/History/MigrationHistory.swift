import UndercroftCore
import UndercroftSQLite

/// The migration history of a file: its current version and the versions that led to it, in order.
///
/// Each step updates the history in its own transaction.
struct MigrationHistory: Sendable {
  struct Entry: Sendable, Hashable {
    let version: String
    /// The SQL that reverts to the previous version, or `nil` if there is none.
    var down: String?
  }

  /// The way in which a file reached a version.
  enum Origin: String {
    case created = "created"
    case adopted = "adopted"
    case step = "step"
  }

  var entries: [Entry]
  /// The migration that has begun and has not ended, or `nil` if there is none.
  var unfinished: UnfinishedMigration?

  static let table = "undercroft_migration"

  /// Reads the migration history of a file.
  ///
  /// Returns `nil` if the file has none.
  init?(of db: Connection) throws {
    guard try Self.isTable(Self.table, in: db) else { return nil }
    do {
      var positions: [Int64] = []
      entries = try db.fetchAll(
        "SELECT version, down, position FROM main.undercroft_migration ORDER BY position"
      ) { row in
        positions.append(try row[2])
        return Entry(version: try row[0], down: try row[1])
      }
      // `add` increments the last position, so no position may be `Int64.max`.
      guard positions.allSatisfy({ $0 < .max }), entries.allSatisfy({ Self.isName($0.version) })
      else {
        throw Self.unknownStructure(Self.table)
      }
      unfinished = try UnfinishedMigration(of: db)
    } catch let error as StorageError where error.code != .locked && error.code != .io {
      throw error.code == .unknownVersion
        ? error : Self.unknownStructure(Self.table, underlying: error)
    }
    guard !entries.isEmpty else {
      throw StorageError.migration(
        "the table \(quoted(Self.table)), which records the version of the file, is empty",
        suggestion: Self.suggestion, as: .unknownVersion)
    }
  }

  /// Creates the tables of the migration history, and inserts the versions in `entries`, all with
  /// the same `origin`.
  static func create(
    _ entries: [Entry], _ origin: Origin, in db: Connection
  ) throws {
    try db.execute(
      """
      CREATE TABLE undercroft_migration (
        position INTEGER PRIMARY KEY, version TEXT NOT NULL UNIQUE, applied_at TEXT NOT NULL,
        origin TEXT NOT NULL, down TEXT)
      """)
    try UnfinishedMigration.createTable(in: db)
    for entry in entries { try add(entry, origin, in: db) }
  }

  /// Appends a version to the migration history.
  static func add(_ entry: Entry, _ origin: Origin, in db: Connection) throws {
    try db.execute(
      """
      INSERT INTO undercroft_migration (position, version, applied_at, origin, down)
      SELECT coalesce(max(position), 0) + 1, \(entry.version), strftime('%Y-%m-%dT%H:%M:%SZ', 'now'),
        \(origin.rawValue), \(entry.down) FROM undercroft_migration
      """)
  }

  /// Inserts a version before the version `other`, and increments the positions of `other` and of
  /// all later versions.
  static func insert(
    _ entry: Entry, before other: String, in db: Connection
  ) throws {
    let position = try db.fetchValue(
      "SELECT position FROM undercroft_migration WHERE version = \(other)", as: Int64.self)
    // Negates the positions first, because an incremented position would collide with the position
    // of a row that is not updated yet.
    try db.execute(
      "UPDATE undercroft_migration SET position = -position WHERE position >= \(position)")
    try add(entry, .step, in: db)
    try db.execute(
      "UPDATE undercroft_migration SET position = \(position) WHERE version = \(entry.version)")
    try db.execute("UPDATE undercroft_migration SET position = 1 - position WHERE position < 0")
  }

  static func remove(_ version: String, in db: Connection) throws {
    let count = try db.execute("DELETE FROM undercroft_migration WHERE version = \(version)")
    guard count == 1 else {
      throw StorageError.migration(
        """
        the down step from the version \(quoted(version)) has changed or deleted the row of this \
        version in the table \(quoted(table)), which is reserved for the migrator
        """,
        suggestion: reservedSuggestion, as: .unknownVersion)
    }
  }
}
