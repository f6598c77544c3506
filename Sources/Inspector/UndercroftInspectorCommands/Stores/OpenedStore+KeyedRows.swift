import UndercroftInspection

extension OpenedStore {
  /// Passes each row of a table with its key and the names of the columns to `body`, until `body`
  /// returns `false`.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - redactor: the redactor of secrets in keys, or `nil` to show them.
  ///   - body: a closure that receives a row, and returns whether it needs more rows.
  func forEachKeyedRow(
    of table: InspectedTable, _ redactor: Redactor?,
    _ body: (RowKey, _ columns: [String], _ row: [InspectedValue]) throws -> Bool
  ) throws {
    var columns: [String] = []
    var keys = RowKeyEncoder(of: table, columns, redactor)
    try forEachRow(
      of: table.name,
      columns: {
        columns = $0
        keys = RowKeyEncoder(of: table, $0, redactor)
      },
      row: { row in try body(keys.key(of: row), columns, row) })
  }
}
