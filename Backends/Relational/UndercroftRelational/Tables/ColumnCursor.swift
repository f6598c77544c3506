public import UndercroftCore
public import UndercroftSQLite

/// A cursor that reads the columns of one record in declaration order, from a row or from an array
/// of values.
@usableFromInline
struct ColumnCursor: ~Copyable {
  /// The pointer of the row's statement, or `nil` if the values are in an array.
  private let statement: OpaquePointer?
  /// The position in the row of each column, or `nil` if the columns are consecutive.
  private let positions: [Int]?
  private let values: [OwnedColumn]?
  private var next: Int

  /// Creates a cursor for consecutive columns of a row, the position of the first being `first`.
  init(_ row: borrowing Row, from first: Int) {
    (statement, positions, values, next) = (row.statement, nil, nil, first)
  }

  /// Creates a cursor for the columns of a row at these positions.
  init(_ row: borrowing Row, at positions: [Int]) {
    (statement, self.positions, values, next) = (row.statement, positions, nil, 0)
  }

  /// Creates a cursor for values that are in no row.
  init(_ values: [OwnedColumn]) {
    (statement, positions, self.values, next) = (nil, nil, values, 0)
  }

  /// Returns the value of the next column.
  @inlinable
  mutating func read<Value: SQLReadable>(
    _ type: Value.Type = Value.self
  ) throws(StorageError) -> Value {
    try Value.read(from: try readColumn())
  }

  @usableFromInline
  mutating func readColumn() throws(StorageError) -> SQLColumn {
    defer { next += 1 }
    guard let statement else { return try value(at: next) }
    // A missing position throws the same error as one beyond the last column.
    let position = positions.map { next < $0.count ? $0[next] : -1 } ?? next
    return try Row(statement: statement).column(position)
  }

  private func value(at index: Int) throws(StorageError) -> SQLColumn {
    guard let values, index < values.count else {
      throw .table(
        "cannot read column \(index), counted from 0: there are \(values?.count ?? 0) values")
    }
    return values[index].column
  }
}
