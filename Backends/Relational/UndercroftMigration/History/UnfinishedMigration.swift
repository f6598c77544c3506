import UndercroftCore
import UndercroftSQLite

/// The state of an unfinished migration, as stored in the file between two transactions.
struct UnfinishedMigration: Sendable, Hashable {
  /// The version of the database before the first step of the migration.
  var start: String
  /// The name of the snapshot file beside the database, or `nil` if there is none.
  var snapshot: String?
  /// The version of the step of which at least one slice is committed, or `nil` if there is no such
  /// step.
  ///
  /// A slice is a part of a step that is committed in a separate
  /// transaction. The step itself is not committed yet.
  var slicedVersion: String?
  /// The value that the last committed slice returned and the next slice receives, or `nil` before
  /// the first slice.
  var cursor: SQLValue?
  /// Whether all slices of the step ``slicedVersion`` are done.
  var isSliced = false

  init(start: String, snapshot: String?) {
    self.start = start
    self.snapshot = snapshot
  }

  static let table = "undercroft_migration_run"

  static func createTable(in db: Connection) throws {
    try db.execute(
      """
      CREATE TABLE undercroft_migration_run (
        id INTEGER PRIMARY KEY CHECK (id = 1), start TEXT NOT NULL, snapshot TEXT,
        sliced_version TEXT, has_cursor INTEGER NOT NULL, cursor, is_sliced INTEGER NOT NULL)
      """)
  }

  init?(of db: Connection) throws {
    let sql: SQL = """
      SELECT start, snapshot, sliced_version, has_cursor, cursor, is_sliced
      FROM main.undercroft_migration_run
      """
    guard try MigrationHistory.isTable(Self.table, in: db) else {
      throw MigrationHistory.unknownStructure(Self.table)
    }
    let unfinished = try db.fetchOne(sql) { row in
      var unfinished = UnfinishedMigration(start: try row[0], snapshot: try row[1])
      unfinished.slicedVersion = try row[2]
      unfinished.cursor = try row[3] as Bool ? try row[4] as SQLValue : nil
      unfinished.isSliced = try row[5]
      return unfinished
    }
    guard let unfinished else { return nil }
    guard MigrationHistory.isName(unfinished.start),
      unfinished.slicedVersion.map(MigrationHistory.isName) ?? true
    else { throw MigrationHistory.unknownStructure(Self.table) }
    self = unfinished
  }

  func save(in db: Connection) throws {
    try db.execute(
      """
      INSERT OR REPLACE INTO undercroft_migration_run
      VALUES (1, \(start), \(snapshot), \(slicedVersion), \(cursor != nil), \(cursor ?? .null), \(isSliced))
      """)
  }

  static func end(in db: Connection) throws {
    try db.execute("DELETE FROM undercroft_migration_run")
  }
}
