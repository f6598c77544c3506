import UndercroftSQLite

extension SyncSchema {
  /// Converts tables of format 1 to the present format.
  ///
  /// Call ``installTriggers(_:in:)`` or remove all triggers in the same transaction, because the
  /// triggers of format 1 write columns that no longer exist.
  ///
  /// In format 1, the columns `pending` and `isDirty` belonged to `sync_record`, and a row that the
  /// server did not have yet had no entry in the shadow table.
  static func upgrade(in db: Connection) throws {
    guard try db.fetchValue("SELECT format FROM sync_clock", as: Int.self) == 1 else { return }
    try db.executeScript(SQL(unchecked: unknownColumnTable))
    for table in try CapturedTable.load(in: db) where try db.tableExists(table.shadowTable) {
      let shadow: SQL = "\(identifier: table.shadowTable)"
      try db.execute("ALTER TABLE \(shadow) ADD COLUMN pending INTEGER")
      try db.execute(
        "DELETE FROM \(shadow) WHERE record_id NOT IN (SELECT record_id FROM sync_record)")
      try db.execute(
        """
        UPDATE \(shadow) SET pending = (
          SELECT pending FROM sync_record r WHERE r.record_id = \(shadow).record_id)
        """)
      try db.execute(
        """
        INSERT INTO \(shadow)(record_id, pending, exists_)
        SELECT record_id, pending, 0 FROM sync_record
        WHERE table_id = \(table.tableID) AND (isDirty OR pending IS NOT NULL)
          AND record_id NOT IN (SELECT record_id FROM \(shadow))
        """)
    }
    try replaceRecordTable(in: db)
    try db.execute("UPDATE sync_clock SET format = \(format)")
  }

  /// Replaces the table `sync_record` by a copy without the columns of format 1.
  ///
  /// `ALTER TABLE … DROP COLUMN` is no alternative: it parses the whole schema, and refuses if a
  /// view of the application is invalid, or while triggers use the column. The first files of
  /// format 1 have no column `released_key`.
  private static func replaceRecordTable(in db: Connection) throws {
    let hasKeys = try db.columns(of: "sync_record").contains { $0.name == "released_key" }
    let columns: SQL = """
      record_id, table_id, primary_key, identifier, version, isDeleted, released_key
      """
    try db.execute(
      """
      CREATE TABLE sync_record_copy AS
      SELECT record_id, table_id, primary_key, identifier, version, isDeleted,
        \(hasKeys ? "released_key" : "NULL" as SQL) AS released_key
      FROM sync_record
      """)
    try db.execute("DROP TABLE sync_record")
    try db.executeScript(SQL(unchecked: recordTable))
    try db.execute(
      "INSERT INTO sync_record(\(columns)) SELECT \(columns) FROM sync_record_copy")
    try db.execute("DROP TABLE sync_record_copy")
  }
}
