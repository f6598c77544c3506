import UndercroftCore
import UndercroftSQLite

// The rows of the application, and the copies of rows in the tables of synchronisation, all with
// the keys of this database.

extension ReplicaTransaction {
  /// Returns the row that the application sees, or `nil` if there is none.
  func visibleRow(_ record: TrackedRecord) throws -> FieldValues? {
    guard let key = record.key else { return nil }
    let table = record.table
    let columns = table.syncedColumns.map { "\(identifier: $0.name)" as SQL }
    return try db.fetchOne(
      """
      SELECT \((columns + ["1"]).joined(separator: ", ")) FROM main.\(identifier: table.name)
      WHERE \(table.matches(key))
      """
    ) { row in try table.values(of: row) }
  }

  /// Returns the stored copy of the row that was pulled last, or `nil` if there is no
  /// copy or the server has no row.
  func shadowRow(_ record: TrackedRecord) throws -> FieldValues? {
    try copy(in: record.table.shadowTable, "record_id", record.recordID, of: record.table)
  }

  /// Returns the row after a closed operation, or `nil` if the operation deletes it.
  func imageRow(_ localID: Int64, of table: CapturedTable) throws -> FieldValues? {
    try copy(in: table.imageTable, "local_id", localID, of: table)
  }

  private func copy(
    in copies: String, _ column: SQL, _ number: Int64, of table: CapturedTable
  ) throws -> FieldValues? {
    let columns = table.syncedColumns.map { "\(identifier: $0.storedName)" as SQL }
    return try db.fetchOne(
      """
      SELECT \((columns + ["exists_"]).joined(separator: ", ")) FROM \(identifier: copies)
      WHERE \(column) = \(number)
      """
    ) { row in
      let exists: Bool = try row[columns.count]
      return exists ? try table.values(of: row) : nil
    } ?? nil
  }

  /// Stores a copy of a row as it was pulled last, in the shadow table.
  ///
  /// Call ``materialise(_:)`` for the record before this function. The number of a pending
  /// operation in the shadow table is lost, so the changes of this operation could not be computed
  /// afterwards.
  ///
  /// - Parameters:
  ///   - record: the record of the row.
  ///   - row: the pulled row, or `nil` if the server has no such row.
  func writeShadow(_ record: TrackedRecord, _ row: FieldValues?) throws {
    try removeShadow(record)
    let table = record.table
    let columns = table.syncedColumns.map { "\(identifier: $0.storedName)" as SQL }
    let values = table.syncedColumns.map { (row?[ExactString($0.name)] ?? .null).sql }
    try db.execute(
      """
      INSERT INTO \(identifier: table.shadowTable)\
      (\((["record_id", "exists_"] + columns).joined(separator: ", ")))
      VALUES (\((["\(record.recordID)", "\(row != nil)"] + values).joined(separator: ", ")))
      """)
  }

  /// Removes the copy of a row from the shadow table, because the visible row equals the row that
  /// was pulled last.
  ///
  /// Call ``materialise(_:)`` for the record before this function.
  func removeShadow(_ record: TrackedRecord) throws {
    try db.execute(
      """
      DELETE FROM \(identifier: record.table.shadowTable) WHERE record_id = \(record.recordID)
      """)
  }
}

extension CapturedTable {
  /// Returns the values of the synchronised columns, which must be the first columns of a result
  /// row.
  func values(of row: borrowing Row) throws -> FieldValues {
    var values: FieldValues = [:]
    for (position, column) in syncedColumns.enumerated() {
      values[ExactString(column.name)] = (try row[position] as StoredValue).value
    }
    return values
  }

  /// Returns the SQL condition that selects the row with a key.
  ///
  /// The key is also compared by its bytes, because a collation may ignore differences that other
  /// replicas do not.
  func matches(_ key: SyncValue) -> SQL {
    identity == .text
      ? """
      \(identifier: keyColumn) = \(key.sql) AND \(identifier: keyColumn) = \(key.sql) COLLATE BINARY
      """ : "\(identifier: keyColumn) = \(key.sql)"
  }
}
