import UndercroftCore
package import UndercroftSQLite

extension SyncSchema {
  /// Switches off synchronisation, and removes all its tables, triggers and rows.
  ///
  /// Changes that were not sent are removed from the queue, and are never sent. The tables of the
  /// application remain unchanged.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if a newer version of this library created the
  ///   tables of synchronisation.
  package static func remove(from database: Database) throws {
    try database.write(from: .sync) { db in try remove(in: db) }
  }

  /// Removes all tables, triggers and rows of synchronisation inside a transaction.
  package static func remove(in db: Connection) throws {
    guard try exists(in: db) else { return }
    try verify(in: db, acceptsEarlier: true)
    for table in try CapturedTable.load(in: db) { try drop(table, in: db) }
    try db.execute("DROP VIEW IF EXISTS DirtyList")
    for name in tableNames { try db.execute("DROP TABLE IF EXISTS \(identifier: name)") }
  }

  /// Drops the triggers and helper tables of a table.
  static func drop(_ table: CapturedTable, in db: Connection) throws {
    for statement in CaptureTriggers.removal(of: table) {
      try db.execute(SQL(unchecked: statement))
    }
    for name in [table.shadowTable, table.imageTable] {
      try db.execute("DROP TABLE IF EXISTS \(identifier: name)")
    }
  }

  private static let tableNames = [
    "sync_scope", "sync_table", "sync_column", "sync_record", "sync_to_sync", "sync_absorbed",
    "sync_unknown_column", "sync_to_execute", "sync_conflict", "sync_extra", "sync_unresolved",
    "sync_blocked", "sync_seen", "sync_seen_record", "sync_log", "sync_clock",
  ]
}
