import UndercroftCore
import UndercroftSQLite

// Every write that returns rows calls a closure with each written row. These functions
// collect what the write returns: records, or the values of one column.

extension Table {
  /// A write that calls a closure with each written row, as stored.
  typealias StoredRows = ((borrowing Row) throws -> Void) throws -> Void

  /// Returns the records of the rows that a write reports.
  func returnedRecords(_ write: StoredRows) throws -> [Record] {
    var records: [Record] = []
    try write { row in records.append(try codec.decode(row, 0)) }
    return records
  }

  /// Returns the record of the last row that a write reports, or `nil` if it reports none.
  func returnedRecord(_ write: StoredRows) throws -> Record? {
    var record: Record?
    try write { row in record = try codec.decode(row, 0) }
    return record
  }

  /// Returns one value of each row that a write reports.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if a value is NULL.
  func returnedValues<Value: ColumnValue>(
    of path: KeyPath<Record, Value>, _ write: StoredRows
  ) throws -> [Value.Unwrapped] {
    let columnIndex = try columnIndex(of: path)
    var values: [Value.Unwrapped] = []
    try write { row in values.append(try row[columnIndex]) }
    return values
  }

  /// Returns one value of the row that a write reports, or `nil`
  /// if it reports no row or the value is NULL.
  func returnedValue<Value: ColumnValue>(
    of path: KeyPath<Record, Value>, _ write: StoredRows
  ) throws -> Value.Unwrapped? {
    let columnIndex = try columnIndex(of: path)
    var value: Value.Unwrapped?
    try write { row in value = try row[columnIndex] as Value.Unwrapped? }
    return value
  }
}
