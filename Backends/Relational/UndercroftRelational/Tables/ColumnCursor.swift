public import UndercroftCore
public import UndercroftSQLite

/// A cursor that reads the columns of one record in declaration order, from a row or from an array
/// of values.
@usableFromInline
struct ColumnCursor: ~Copyable {
  /// The pointer of the row's statement, or `nil` if the values are in an array.
  @usableFromInline
  let statement: OpaquePointer?
  /// The number of columns of the row if the cursor reads consecutive columns, otherwise 0.
  @usableFromInline
  let count: Int
  /// The position in the row of each column, or `nil` if the columns are consecutive.
  private let positions: [Int]?
  private let values: [OwnedColumn]?
  @usableFromInline
  var next: Int

  /// Creates a cursor for consecutive columns of a row, the position of the first being `first`.
  @usableFromInline
  init(_ row: borrowing Row, from first: Int) {
    (statement, count, positions, values, next) = (row.statement, row.count, nil, nil, first)
  }

  /// Creates a cursor for the columns of a row at these positions.
  init(_ row: borrowing Row, at positions: [Int]) {
    (statement, count, self.positions, values, next) = (row.statement, 0, positions, nil, 0)
  }

  /// Creates a cursor for values that are in no row.
  init(_ values: [OwnedColumn]) {
    (statement, count, positions, self.values, next) = (nil, 0, nil, values, 0)
  }

  /// Returns the value of the next column.
  @inlinable
  mutating func read<Value: SQLReadable>(
    _ type: Value.Type = Value.self
  ) throws(StorageError) -> Value {
    try Value.read(from: try readColumn())
  }

  @inlinable
  mutating func readColumn() throws(StorageError) -> SQLColumn {
    let index = next
    next += 1
    guard index < count, let statement else { return try column(at: index) }
    return SQLColumn(statement: statement, position: Int32(truncatingIfNeeded: index))
  }

  /// Returns a column of a cursor that does not read consecutive columns, and throws for a column
  /// that does not exist.
  @usableFromInline
  func column(at index: Int) throws(StorageError) -> SQLColumn {
    guard let statement else { return try value(at: index) }
    // A missing position throws the same error as one beyond the last column.
    let position = positions.map { index < $0.count ? $0[index] : -1 } ?? index
    return try Row(statement: statement).column(position)
  }

  private func value(at index: Int) throws(StorageError) -> SQLColumn {
    guard let values, index < values.count else {
      throw .table(
        "cannot read column \(index), counted from 0: the number of values is \(values?.count ?? 0)",
        suggestion: "read as many columns as the table declares")
    }
    return values[index].column
  }
}
