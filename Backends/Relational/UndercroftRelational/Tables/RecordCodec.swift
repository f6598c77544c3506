public import UndercroftCore
public import UndercroftSQLite

/// The functions that decode records from rows, and bind the properties of records to statements.
@usableFromInline
struct RecordCodec<Record>: Sendable {
  @usableFromInline
  typealias Decode = @Sendable (inout ColumnCursor) throws(StorageError) -> Record

  /// The closure that creates a record from the next columns of a cursor.
  @usableFromInline
  let decode: Decode
  /// The table that is named in errors, or `nil` if errors name only the column.
  private var table: TableDefinition?
  let binders: [ColumnBinder<Record>]
  let binds: [PropertyBinder]
  let names: ColumnNames
  /// The checks that run on records that are inserted or updated.
  var checks = RecordChecks<Record>()

  /// Creates a codec for records with the given columns.
  ///
  /// - Parameter decode: A closure that creates a record from the next columns of a cursor.
  init<each Value: ColumnValue>(
    _ decode: @escaping Decode, _ column: repeat Column<Record, each Value>
  ) {
    self.decode = decode
    var binders: [ColumnBinder<Record>] = []
    var names: [ColumnNames.Named] = []
    for column in repeat each column {
      let binder = ColumnBinder(column)
      binders.append(binder)
      names.append(ColumnNames.Named(column, at: binder.offset))
    }
    self.binders = binders
    // No key path here: creating one in the scope of a parameter
    // pack crashes at run time. (Swift 6.3)
    binds = binders.map { $0.bind }
    self.names = ColumnNames(names)
  }

  /// Returns a copy of the codec whose errors also name the table, the key and the statement.
  func naming(_ table: TableDefinition) -> Self {
    var codec = self
    codec.table = table
    return codec
  }

  /// Decodes a record from consecutive columns of a row, starting at the position `first`.
  ///
  /// The row must contain all columns of the table in declaration order.
  @inlinable
  func decode(_ row: borrowing Row, _ first: Int) throws(StorageError) -> Record {
    var cursor = ColumnCursor(row, from: first)
    do {
      return try decode(&cursor)
    } catch {
      throw naming(row, in: error) { first + $0 }
    }
  }

  /// Decodes a record from a row.
  ///
  /// - Parameter positions: The positions of the columns in the row, in declaration order.
  func decode(_ row: borrowing Row, at positions: [Int]) throws(StorageError) -> Record {
    var cursor = ColumnCursor(row, at: positions)
    do {
      return try decode(&cursor)
    } catch {
      throw naming(row, in: error) { positions[$0] }
    }
  }

  /// Returns a copy of a decoding error that also names the table and the key of the row.
  ///
  /// Errors of other codes are returned unchanged. If the codec has no table, all errors are
  /// returned unchanged.
  ///
  /// - Parameter position: A closure that returns the position of a column in the row.
  @usableFromInline
  func naming(
    _ row: borrowing Row, in error: StorageError, _ position: (_ columnIndex: Int) -> Int
  ) -> StorageError {
    guard let table, error.code == .decodingFailed else { return error }
    return error.unreadable(row, of: table, at: position)
  }

  /// Decodes a record from an array of values for all columns, in declaration order.
  func decode(_ columns: [OwnedColumn]) throws(StorageError) -> Record {
    var cursor = ColumnCursor(columns)
    return try withExtendedLifetime(columns) { () throws(StorageError) in try decode(&cursor) }
  }

  /// Returns whether the property of the column at this index is `nil`.
  func isNil(_ columnIndex: Int, of record: Record) -> Bool { binders[columnIndex].isNil(record) }

  /// Binds the properties of the columns at these indices to consecutive placeholders, starting at
  /// the first placeholder.
  func bind(_ record: Record, _ columns: [Int], to statement: borrowing Statement) throws {
    try withUnsafePointer(to: record) { record in
      try PropertyBinder.bind(columns, of: UnsafeRawPointer(record), binds, to: statement)
    }
  }
}
