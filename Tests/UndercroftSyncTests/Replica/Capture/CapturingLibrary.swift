import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// A database of a lending library, with triggers that capture its changes.
struct CapturingLibrary {
  let database: Database

  /// Creates an in-memory database with the tables of a script, and captures changes of `tables`.
  ///
  /// The rows that the script inserts have the version 7, as if they were pulled from the server.
  init(
    _ script: String, _ tables: [SyncedTable], recursiveTriggers: Bool = false,
    expressions: CaptureExpressions = .sqlite
  ) throws {
    let options = DatabaseOptions(setUp: { db in
      try db.execute(SQL(unchecked: "PRAGMA recursive_triggers = \(recursiveTriggers)"))
    })
    database = try Database.inMemory(options)
    try run(script)
    try SyncSchema.add(
      tables, toScope: "shelf", account: "ada", in: database, expressions: expressions)
    try settle()
  }

  init(opening database: Database) { self.database = database }

  /// Runs the statements of a script in one transaction.
  func run(_ script: String) throws {
    try database.write { db in _ = try db.executeScript(SQL(unchecked: script)) }
  }

  /// Runs one statement, and returns whether it succeeded.
  @discardableResult
  func attempt(_ sql: String) -> Bool {
    (try? database.execute(SQL(unchecked: sql))) != nil
  }

  /// Removes all captured operations, and gives all rows the version 7.
  ///
  /// The tables are then as if the server had confirmed all operations.
  func settle() throws {
    try database.write { db in
      for table in try CapturedTable.load(in: db) {
        try db.execute("DELETE FROM \(identifier: table.shadowTable)")
        try db.execute("DELETE FROM \(identifier: table.imageTable)")
        try db.execute(
          """
          DELETE FROM sync_record WHERE table_id = \(table.tableID) AND NOT EXISTS (
            SELECT 1 FROM \(identifier: table.name) AS t
            WHERE t.\(identifier: table.keyColumn) = primary_key COLLATE BINARY)
          """)
      }
      try db.executeScript(
        """
        DELETE FROM sync_to_sync; DELETE FROM sync_absorbed;
        DELETE FROM sync_record WHERE isDeleted;
        UPDATE sync_record SET version = 7;
        """)
    }
  }

  /// Returns the keys of the rows with captured changes, in ascending order.
  func dirtyKeys() throws -> [String] {
    let tables = try database.read(CapturedTable.load)
    return try tables.flatMap { table in
      try texts(
        """
        SELECT r.primary_key FROM sync_record r JOIN \(table.shadowTable) USING (record_id)
        ORDER BY 1
        """)
    }.sorted()
  }

  func table(_ name: String) throws -> CapturedTable? {
    try database.read(CapturedTable.load).first { $0.name == name }
  }

  func integer(_ sql: String) throws -> Int64 {
    try database.fetchValue(SQL(unchecked: sql))
  }

  func text(_ sql: String) throws -> String? {
    try database.fetchOne(SQL(unchecked: sql)) { row in try row[0] } ?? nil
  }

  func texts(_ sql: String) throws -> [String] {
    try database.fetchAll(SQL(unchecked: sql)) { row in try row[0] }
  }
}
