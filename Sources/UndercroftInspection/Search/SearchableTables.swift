/// A store of rows that finds the rows with a text faster than by copying each row.
package protocol SearchableTables: TableInspectable {
  /// Passes the rows of a table with a value that fulfils `filter` to `body`, in the order in which
  /// the store reads them.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - filter: the condition for values.
  ///   - columns: a closure that receives the names of the columns before the first step.
  ///   - body: a closure that receives a step, and returns whether it needs more steps.
  /// - Throws: ``StorageError/Code/invalidKey`` if there is no such table, and any error that a
  ///   closure throws.
  func forEachRow(
    of table: String, matching filter: ValueFilter, columns: ([String]) throws -> Void,
    _ body: (RowSearchStep) throws -> Bool) throws
}
