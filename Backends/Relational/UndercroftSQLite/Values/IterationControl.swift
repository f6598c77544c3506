/// The decision whether to read more rows, returned by a closure that is called for each row.
public enum IterationControl: Sendable {
  /// Reads the next row.
  ///
  /// In a script, the next statement runs after the last row of the current statement.
  case `continue`
  /// Reads no further row, and runs no further statement of a script.
  ///
  /// The effects of the statements that have already run remain.
  case stop
}
