import UndercroftCore
package import UndercroftSQLite

extension SyncSchema {
  /// Adapts columns, helper tables and triggers after the schema of the application has changed.
  ///
  /// If nothing has changed, writes nothing. A table that was renamed is captured under its new
  /// name. A table that was dropped is no longer captured, and its rows are not deleted on other
  /// replicas. Rows that were inserted while a table had no triggers become pending insertions.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if a newer version of this library created the
  ///   tables of synchronisation.
  package static func refresh(
    in db: Connection, expressions: CaptureExpressions = .sqlite
  ) throws {
    guard try exists(in: db) else { return }
    try upgrade(in: db)
    try verify(in: db)
    for table in try CapturedTable.load(in: db) { try follow(table, expressions, in: db) }
    let tables = try CapturedTable.load(in: db)
    let added = try tables.filter { try triggerOwner(of: $0, in: db) == nil }
    for table in tables { try refresh(table, among: tables, in: db) }
    try installTriggers(expressions, in: db)
    for table in added { try enqueueAllRows(of: table, expressions, in: db) }
  }

  /// Removes all triggers, for changes of the schema that SQLite refuses while triggers mention the
  /// changed column.
  ///
  /// Call ``refresh(in:expressions:)`` in the same transaction. Changes of rows between the two
  /// calls are not captured, except insertions.
  package static func suspendTriggers(in db: Connection) throws {
    guard try exists(in: db) else { return }
    try upgrade(in: db)
    try verify(in: db)
    for table in try CapturedTable.load(in: db) {
      for statement in CaptureTriggers.removal(of: table) {
        try db.execute(SQL(unchecked: statement))
      }
    }
  }

  /// Adapts the columns and helper tables of a table to its schema.
  static func refresh(
    _ table: CapturedTable, among tables: [CapturedTable], in db: Connection
  ) throws {
    try install(
      SourceTable(table.name, in: db), as: table, ColumnRoles(table, among: tables), among: tables,
      in: db)
  }

  /// Stores the current name of a table, or removes everything that belongs to a table that no
  /// longer exists.
  private static func follow(
    _ table: CapturedTable, _ expressions: CaptureExpressions, in db: Connection
  ) throws {
    guard let name = try triggerOwner(of: table, in: db) else {
      if try !db.tableExists(table.name) { try forget(table, expressions, in: db) }
      return
    }
    guard !name.isExactly(table.name) else { return }
    try db.execute("UPDATE sync_table SET name = \(name) WHERE table_id = \(table.tableID)")
    try db.execute(
      "UPDATE sync_column SET referenced_table = \(name) WHERE referenced_table = \(table.name)")
  }

  /// Returns the current name of the table that has the capturing triggers of `table`, or `nil` if
  /// these triggers do not exist.
  private static func triggerOwner(
    of table: CapturedTable, in db: Connection
  ) throws -> String? {
    let trigger = "sync_\(table.tableID)_ai"
    return try db.fetchOne(
      "SELECT tbl_name FROM main.sqlite_schema WHERE type = 'trigger' AND name = \(trigger)"
    ) { row in try row[0] }
  }

  private static func forget(
    _ table: CapturedTable, _ expressions: CaptureExpressions, in db: Connection
  ) throws {
    try drop(table, in: db)
    let operations: SQL = "SELECT local_id FROM sync_to_sync WHERE table_id = \(table.tableID)"
    for name in ["sync_absorbed", "sync_unknown_column"] {
      try db.execute("DELETE FROM \(identifier: name) WHERE local_id IN (\(operations))")
    }
    let records: SQL = "SELECT record_id FROM sync_record WHERE table_id = \(table.tableID)"
    try db.execute("DELETE FROM sync_unresolved WHERE record_id IN (\(records))")
    let sealed = try db.execute(
      """
      DELETE FROM sync_to_sync WHERE table_id = \(table.tableID) AND sequence IS NOT NULL
        AND state IN ('sealed', 'confirmed')
      """)
    if sealed > 0 { try beginChain(ofScope: table.scopeID, expressions, in: db) }
    for name in ["sync_to_sync", "sync_record", "sync_column", "sync_table"] {
      try db.execute("DELETE FROM \(identifier: name) WHERE table_id = \(table.tableID)")
    }
  }

  /// Assigns a new identifier and an empty operation chain to the replica of a scope.
  ///
  /// Call this function after sealed operations of a dropped table were removed from the queue.
  /// Their removal leaves a gap in the operation chain, and the server accepts no operations after
  /// a gap.
  ///
  /// This has the same effect as ``ReplicaTransaction/reidentify(_:)``.
  private static func beginChain(
    ofScope scopeID: Int64, _ expressions: CaptureExpressions, in db: Connection
  ) throws {
    let identifier = SQL(unchecked: "lower(hex(\(expressions.randomBytes(16))))")
    try db.execute(
      """
      UPDATE sync_scope SET replica = \(identifier), sequence = 0, last_operation = NULL,
        chain = NULL, results_through = 0
      WHERE scope_id = \(scopeID)
      """)
    try db.execute(
      """
      UPDATE sync_to_sync SET sequence = NULL, dependency_identifier = NULL,
        dependency_chain = NULL, state = CASE state WHEN 'sealed' THEN 'ready' ELSE state END
      WHERE scope_id = \(scopeID) AND (sequence IS NOT NULL OR state = 'sealed')
      """)
  }
}
