import UndercroftSQLite

extension SyncSchema {
  /// Creates records and pending insertions for the rows that existed before the table was added.
  ///
  /// Rows that were inserted since then have records already. An update of a row without a record
  /// is not captured, because the later insertion will contain the updated row.
  static func enqueueRows(
    of table: CapturedTable, in database: Database, _ expressions: CaptureExpressions,
    batchSize: Int
  ) throws {
    let enqueued: SQL = "SELECT isEnqueued FROM sync_table WHERE table_id = \(table.tableID)"
    guard try database.fetchValue(enqueued, as: Int.self) == 0 else { return }
    repeat {
      var last: Int64? = 0
      while let previous = last {
        try database.write(from: .sync) { db in
          try verify(in: db)
          last = try enqueueBatch(of: table, after: previous, expressions, batchSize, in: db)
        }
      }
      // Between two batches, the last row, whose key bounds the next batch, can be deleted, and a
      // row can get a key before this bound. Rows that are inserted get records, so once all rows
      // have records, this does not change.
    } while try database.read { db in try hasRowWithoutRecord(table, in: db) }
    try database.write(from: .sync) { db in
      try verify(in: db)
      try markEnqueued(table, in: db)
    }
  }

  /// Creates records and pending insertions like ``enqueueRows(of:in:_:batchSize:)``, but in the
  /// transaction of the caller.
  static func enqueueAllRows(
    of table: CapturedTable, _ expressions: CaptureExpressions, in db: Connection
  ) throws {
    var last: Int64? = 0
    while let previous = last {
      last = try enqueueBatch(of: table, after: previous, expressions, 100_000, in: db)
    }
    try markEnqueued(table, in: db)
  }

  private static func markEnqueued(_ table: CapturedTable, in db: Connection) throws {
    try db.execute("UPDATE sync_table SET isEnqueued = 1 WHERE table_id = \(table.tableID)")
  }

  private static func key(of table: CapturedTable) -> String {
    "\(table.name.quotedIdentifier).\(table.keyColumn.quotedIdentifier)"
  }

  /// Returns the condition that selects the rows of a table that have no records.
  private static func isWithoutRecord(_ table: CapturedTable) -> String {
    """
    NOT EXISTS (
      SELECT 1 FROM sync_record
      WHERE table_id = \(table.tableID) AND primary_key = +\(key(of: table)))
    """
  }

  private static func hasRowWithoutRecord(
    _ table: CapturedTable, in db: Connection
  ) throws -> Bool {
    try db.fetchValue(
      SQL(
        unchecked: """
          SELECT EXISTS (
            SELECT 1 FROM \(table.name.quotedIdentifier) WHERE \(isWithoutRecord(table)))
          """))
  }

  /// Enqueues the next rows, in the order of their keys.
  ///
  /// - Parameter last: the `record_id` of the last record of the previous batch, or 0 for the first
  ///   batch.
  /// - Returns: the `record_id` of the last record of this batch, or `nil` if no rows with greater
  ///   keys remain.
  private static func enqueueBatch(
    of table: CapturedTable, after last: Int64, _ expressions: CaptureExpressions,
    _ batchSize: Int, in db: Connection
  ) throws -> Int64? {
    let key = key(of: table)
    let record: Int64 = try db.fetchValue("SELECT coalesce(max(record_id), 0) FROM sync_record")
    let local: Int64 = try db.fetchValue("SELECT coalesce(max(local_id), 0) FROM sync_to_sync")
    let bound =
      last == 0
      ? "" : "\(key) > (SELECT primary_key FROM sync_record WHERE record_id = \(last)) AND"
    let identifier = table.identity == .integer ? expressions.timeOrderedUUID : "NULL"
    let count = try db.execute(
      SQL(
        unchecked: """
          INSERT INTO sync_record(record_id, table_id, primary_key, identifier)
          SELECT \(record) + row_number() OVER (), \(table.tableID), k, \(identifier)
          FROM (
            SELECT \(key) AS k FROM \(table.name.quotedIdentifier)
            WHERE \(bound) \(isWithoutRecord(table))
            ORDER BY \(key) LIMIT \(batchSize)), sync_clock c
          """))
    try db.execute(
      SQL(
        unchecked: """
          INSERT INTO sync_to_sync(
            local_id, scope_id, table_id, record_id, operation_identifier, state, seen, base_cursor,
            known_head, timestamp, hlc)
          SELECT \(local - record) + r.record_id, s.scope_id, r.table_id, r.record_id, \(expressions.randomBytes(16)),
            'pending', 0, \(CaptureTriggers.baseCursor), s.head, \(expressions.time),
            \(expressions.timestamp)
          FROM sync_record r, sync_clock c, sync_scope s
          WHERE r.record_id > \(record) AND s.scope_id = \(table.scopeID)
          """))
    try db.execute(
      """
      INSERT INTO \(identifier: table.shadowTable)(record_id, pending, exists_)
      SELECT record_id, \(local - record) + record_id, 0 FROM sync_record
      WHERE record_id > \(record)
      """)
    return count < batchSize ? nil : record + Int64(count)
  }
}
