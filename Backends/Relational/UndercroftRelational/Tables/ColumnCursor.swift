public import UndercroftCore
public import UndercroftSQLite

/// A cursor that reads the columns of one record in declaration order, from a row or from an array
/// of values.
@usableFromInline
struct ColumnCursor: ~Copyable {
  /// The C pointer to the statement that returned the row, or `nil` if the cursor reads an array of
  /// values.
  @usableFromInline
  let statement: OpaquePointer?
  /// The number of columns of the row if the cursor reads consecutive columns, otherwise 0.
  @usableFromInline
  let count: Int
  /// The position of each column in the row, or `nil` if the columns are consecutive.
  private let positions: [Int]?
  private let values: [OwnedColumn]?
  @usableFromInline
  var next: Int

  /// Creates a cursor for consecutive columns of a row, starting at the position `first`.
  @usableFromInline
  init(_ row: borrowing Row, from first: Int) {
    (statement, count, positions, values, next) = (row.statement, row.count, nil, nil, first)
  }

  /// Creates a cursor for the columns at the given positions of a row.
  init(_ row: borrowing Row, at positions: [Int]) {
    (statement, count, self.positions, values, next) = (row.statement, 0, positions, nil, 0)
  }

  /// Creates a cursor for an array of values instead of a row.
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

  /// Returns the column at `index`, in the order in which the cursor reads the columns.
  ///
  /// - Throws: An error if the column does not exist.
  @usableFromInline
  func column(at index: Int) throws(StorageError) -> SQLColumn {
    guard let statement else { return try value(at: index) }
    // A missing position throws the same error as one beyond the last column.
    let position = positions.map { index < $0.count ? $0[index] : -1 } ?? index
    return try Row(statement: statement).column(position)
  }

  private func value(at index: Int) throws(StorageError) -> SQLColumn {
    guard let values, index < values.count else {
      let names = (values ?? []).map { quoted($0.name) }
      let columns =
        names.isEmpty
        ? "no column"
        : "only the column\(names.count == 1 ? "" : "s") \(names.joined(separator: ", "))"
      throw .table(
        """
        cannot read column \(index), counted from 0, of a record: the table of the record declares \
        \(columns)
        """,
        suggestion: "declare a column for each value from which the record is created")
    }
    return values[index].column
  }
}
