import UndercroftCore
import UndercroftSQLite

// Every write that returns rows calls a closure with each written row. These functions collect the
// records of the rows, or the values of one column.

extension Table {
  /// A function that inserts, updates or deletes rows, and calls the given closure with each row as
  /// it is stored, or as it was stored before its deletion.
  typealias StoredRows = ((borrowing Row) throws -> Void) throws -> Void

  /// Runs a write, and returns the records of all written rows.
  func returnedRecords(_ write: StoredRows) throws -> [Record] {
    var records: [Record] = []
    try write { row in records.append(try codec.decode(row, 0)) }
    return records
  }

  /// Runs a write, and returns the record of the last written row, or `nil` if no row was written.
  func returnedRecord(_ write: StoredRows) throws -> Record? {
    var record: Record?
    try write { row in record = try codec.decode(row, 0) }
    return record
  }

  /// Runs a write, and returns one value of each written row.
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

  /// Runs a write, and returns one value of the last written row, or `nil` if no row was written or
  /// the value is NULL.
  func returnedValue<Value: ColumnValue>(
    of path: KeyPath<Record, Value>, _ write: StoredRows
  ) throws -> Value.Unwrapped? {
    let columnIndex = try columnIndex(of: path)
    var value: Value.Unwrapped?
    try write { row in value = try row[columnIndex] as Value.Unwrapped? }
    return value
  }
}
