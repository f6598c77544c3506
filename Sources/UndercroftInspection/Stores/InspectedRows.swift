/// A range of the rows of a table, with the names of the columns.
public struct InspectedRows: Sendable, Equatable {
  /// The names of the columns.
  public let columns: [String]
  /// The rows, each with a value for every column.
  public let rows: [[InspectedValue]]

  /// Creates a result from column names and rows.
  public init(columns: [String], rows: [[InspectedValue]]) {
    self.columns = columns
    self.rows = rows
  }
}
