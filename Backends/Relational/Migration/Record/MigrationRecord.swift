import UndercroftCore
import UndercroftSQLite

/// What a file says of its version: every one it has had, in its order, written in the transactions of the steps.
struct MigrationRecord: Sendable {
  struct Entry: Sendable, Hashable {
    let version: String
    /// The way back as SQL, where there is one.
    var down: String?
  }

  /// How a file came to a version.
  enum Origin: String {
    case created, adopted, step
  }

  var entries: [Entry]
  /// A migration that has begun and has not come to its end.
  var run: MigrationRun?

  static let table = "undercroft_migration"

  /// Reads the record; `nil` where there is none.
  init?(of db: borrowing Connection) throws {
    guard try Self.isTable(Self.table, in: db) else { return nil }
    do {
      var places: [Int64] = []
      entries = try db.query(
        "SELECT version, down, position FROM main.undercroft_migration ORDER BY position"
      ) { row in
        places.append(try row[2])
        return Entry(version: try row[0], down: try row[1])
      }
      // The next one comes after the last.
      guard places.allSatisfy({ $0 < .max }), entries.allSatisfy({ Self.isName($0.version) }) else {
        throw Self.isNotOurs(Self.table)
      }
      run = try MigrationRun(of: db)
    } catch let error as StorageError where error.code != .locked && error.code != .io {
      throw error.code == .unknownVersion ? error : Self.isNotOurs(Self.table, underlying: error)
    }
    guard !entries.isEmpty else {
      throw StorageError.migration(
        "the table \(quoted(Self.table)) is empty", cure: Self.cure, as: .unknownVersion)
    }
  }

  /// Makes the tables, and enters the versions that the file has.
  static func make(
    _ entries: [Entry], _ origin: Origin, in db: borrowing Connection
  ) throws {
    try db.execute(
      """
      CREATE TABLE undercroft_migration (
        position INTEGER PRIMARY KEY, version TEXT NOT NULL UNIQUE, applied_at TEXT NOT NULL,
        origin TEXT NOT NULL, down TEXT)
      """)
    try MigrationRun.makeTable(in: db)
    for entry in entries { try add(entry, origin, in: db) }
  }

  /// Enters a version as the last one.
  static func add(_ entry: Entry, _ origin: Origin, in db: borrowing Connection) throws {
    try db.execute(
      """
      INSERT INTO undercroft_migration (position, version, applied_at, origin, down)
      SELECT coalesce(max(position), 0) + 1, \(entry.version), strftime('%Y-%m-%dT%H:%M:%SZ', 'now'),
        \(origin.rawValue), \(entry.down) FROM undercroft_migration
      """)
  }

  /// Enters a version before another one, whose position and all later ones are increased by one.
  static func insert(
    _ entry: Entry, before other: String, in db: borrowing Connection
  ) throws {
    let place = try db.value(
      "SELECT position FROM undercroft_migration WHERE version = \(other)", as: Int64.self)
    // By way of negative numbers, since a position is taken while its row has yet to move.
    try db.execute(
      "UPDATE undercroft_migration SET position = -position WHERE position >= \(place)")
    try add(entry, .step, in: db)
    try db.execute(
      "UPDATE undercroft_migration SET position = \(place) WHERE version = \(entry.version)")
    try db.execute("UPDATE undercroft_migration SET position = 1 - position WHERE position < 0")
  }

  static func remove(_ version: String, in db: borrowing Connection) throws {
    let count = try db.execute("DELETE FROM undercroft_migration WHERE version = \(version)")
    guard count == 1 else {
      throw StorageError.migration(
        "the file has no record of \(quoted(version)) any more", as: .unknownVersion)
    }
  }
}
