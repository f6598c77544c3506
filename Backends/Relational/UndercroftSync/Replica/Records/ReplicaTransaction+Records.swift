import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// Returns a record by its number, or `nil` if there is none in this scope.
  func record(_ recordID: Int64) throws -> TrackedRecord? {
    try db.fetchOne(
      """
      SELECT record_id, table_id, primary_key, identifier, version FROM sync_record
      WHERE record_id = \(recordID)
      """
    ) { row in try trackedRecord(row) } ?? nil
  }

  /// Returns the record of a row, or `nil` if there is none.
  func record(of table: CapturedTable, _ identifier: DataIdentifier) throws -> TrackedRecord? {
    guard table.identity != .integer else {
      return try db.fetchOne(
        """
        SELECT record_id, table_id, primary_key, identifier, version FROM sync_record
        WHERE table_id = \(table.tableID) AND identifier = \(identifier.text)
        """
      ) { row in try trackedRecord(row) } ?? nil
    }
    guard let key = table.identity.key(of: identifier) else { return nil }
    return try record(of: table, key: key)
  }

  /// Returns the record of the row with a key, or `nil` if there is none.
  func record(of table: CapturedTable, key: SyncValue) throws -> TrackedRecord? {
    try db.fetchOne(
      """
      SELECT record_id, table_id, primary_key, identifier, version FROM sync_record
      WHERE table_id = \(table.tableID) AND primary_key = \(key.sql)
      """
    ) { row in try trackedRecord(row) } ?? nil
  }

  private func trackedRecord(_ row: borrowing Row) throws -> TrackedRecord? {
    guard let table = tablesByID[try row[1]] else { return nil }
    let key: StoredValue = try row[2]
    return TrackedRecord(
      recordID: try row[0], table: table, key: key.value == .null ? nil : key.value,
      storedIdentifier: (try row[3] as String?).map { DataIdentifier($0) }, version: try row[4])
  }

  /// Creates the record of a row of the server.
  ///
  /// - Throws: ``RowRefusal`` if the table has UUID keys and the identifier is not a UUID in lower
  ///   case.
  func makeRecord(of table: CapturedTable, _ identifier: DataIdentifier) throws -> TrackedRecord {
    let key = table.identity.key(of: identifier)
    guard key != nil || table.identity == .integer else {
      throw RowRefusal(
        """
        the table \(quoted(table.name)) requires a UUID in lower case as the identifier of a row, \
        but the identifier is \(quoted(identifier.text))
        """, suggestion: "pass a UUID in lower case as the identifier of the row")
    }
    let stored = table.identity == .integer ? identifier : nil
    try db.execute(
      """
      INSERT INTO sync_record(table_id, primary_key, identifier)
      VALUES (\(table.tableID), \((key ?? .null).sql), \(stored?.text))
      """)
    return TrackedRecord(
      recordID: db.lastInsertedRowID, table: table, key: key, storedIdentifier: stored, version: 0)
  }

  /// Removes the record of a row that the server does not have, and that has no queued operations.
  func forget(_ record: TrackedRecord) throws {
    try db.execute("DELETE FROM sync_record WHERE record_id = \(record.recordID)")
    try db.execute("DELETE FROM sync_unresolved WHERE record_id = \(record.recordID)")
    // Another record can get the number.
    try db.execute("DELETE FROM sync_seen_record WHERE record_id = \(record.recordID)")
    guard let identifier = record.dataIdentifier else { return }
    try db.execute(
      """
      DELETE FROM sync_extra
      WHERE scope_id = \(scopeID) AND table_name = \(record.table.name)
        AND identifier = \(identifier.text)
      """)
  }
}
