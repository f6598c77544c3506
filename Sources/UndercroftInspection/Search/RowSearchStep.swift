/// A step of a search through the rows of a table.
package enum RowSearchStep: Sendable, Equatable {
  /// A number of rows, of which none has a value that fulfils the condition, and their approximate
  /// size in bytes.
  case skipped(rows: Int, byteCount: Int)
  /// The values of a row, of which at least one fulfils the condition if the store can search.
  case row([InspectedValue])
}
