import UndercroftCore
import UndercroftFoundation
import UndercroftInspection
import UndercroftSQLite

extension MigrationInspection {
  /// The functions for SQLite databases, which read the tables in which migrators record versions.
  static let sqlite = MigrationInspection { url in
    try Database.inspecting(url) { db in try InspectedMigrations(of: db, at: url) }
  }
}

extension InspectedMigrations {
  /// A library that records the versions of a database in a table.
  private struct Recorder {
    let name: String
    let table: String
    /// A query of the position, name, time and origin of each version, and of whether the version
    /// is revertible.
    let query: SQL
  }

  /// The libraries whose tables are read, in the order in which a migrator prefers them.
  private static let recorders = [
    Recorder(
      name: "undercroft", table: "undercroft_migration",
      query: """
        SELECT position, version, applied_at, origin, down IS NOT NULL
        FROM main.undercroft_migration ORDER BY position
        """),
    // The order in which GRDB has applied the migrations is the order of the rowids.
    Recorder(
      name: "GRDB", table: "grdb_migrations",
      query: "SELECT NULL, identifier, NULL, NULL, NULL FROM main.grdb_migrations ORDER BY rowid"),
    Recorder(
      name: "CTPersistance", table: "kCTPersistanceVersionTableName",
      query: """
        SELECT identifier, databaseVersion, NULL, NULL, NULL
        FROM main.kCTPersistanceVersionTableName ORDER BY identifier
        """),
  ]

  private static let unfinishedTable = "undercroft_migration_run"

  /// Reads the history of a database.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` if a table does not have the structure that its
  ///   library creates.
  fileprivate init(of db: Connection, at url: URL) throws {
    let number = Int64(try db.userVersion())
    let path = url.path(percentEncoded: false)
    for recorder in Self.recorders where try Self.isTable(recorder.table, in: db, at: path) {
      let isOwn = recorder.table == Self.recorders[0].table
      self.init(
        recorder: recorder.name,
        versions: try Self.reading(recorder.table, at: path) {
          try db.fetchAll(recorder.query) { row in
            Version(
              position: try row[0], name: try row[1], appliedAt: try row[2], origin: try row[3],
              isRevertible: try row[4])
          }
        },
        unfinished: isOwn ? try Self.unfinished(in: db, at: path) : nil, userVersion: number)
      return
    }
    self.init(recorder: nil, versions: [], unfinished: nil, userVersion: number)
  }

  private static func unfinished(in db: Connection, at path: String) throws -> Unfinished? {
    guard try isTable(unfinishedTable, in: db, at: path) else { return nil }
    return try reading(unfinishedTable, at: path) {
      try db.fetchOne(
        "SELECT start, sliced_version, snapshot FROM main.undercroft_migration_run"
      ) { row in
        Unfinished(start: try row[0], partialVersion: try row[1], snapshot: try row[2])
      }
    }
  }

  /// Returns whether the database contains an ordinary table with this name.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` if a view or a virtual table has this name, because
  ///   its rows are computed and could be arbitrary.
  private static func isTable(
    _ name: String, in db: Connection, at path: String
  ) throws -> Bool {
    let sql: SQL = """
      SELECT type = 'table' AND coalesce(rootpage, 0) > 0 FROM main.sqlite_schema
      WHERE type IN ('table', 'view') AND name = \(name) COLLATE NOCASE
      """
    guard let isTable = try db.fetchOne(sql, { row in try row[0] as Bool }) else { return false }
    guard isTable else { throw damaged(name, at: path, nil) }
    return true
  }

  /// Runs `body`, which reads a table, and explains its errors.
  private static func reading<Result>(
    _ table: String, at path: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let cause as StorageError
      where cause.code == .misuse || cause.code == .decodingFailed
    {
      throw damaged(table, at: path, cause)
    }
  }

  private static func damaged(
    _ table: String, at path: String, _ cause: StorageError?
  ) -> StorageError {
    StorageError(
      .corrupted,
      """
      cannot read the migration history of \(quoted(path)): the table \(quoted(table)) does not \
      have the structure of a migration history
      """,
      suggestion: "run \"undercroft rows\" to show the table, or restore a backup of the database",
      backend: SQLiteBackend.name, underlying: cause)
  }
}
