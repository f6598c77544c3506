/// The result of a closure that is called for each row: whether more rows are read.
public enum IterationControl: Sendable {
  /// Reads the next row.
  ///
  /// In a script, the next statement runs after the last row of the present statement.
  case `continue`
  /// Reads no further row, and runs no further statement of a script.
  ///
  /// The effects of the statements that have already run remain.
  case stop
}
