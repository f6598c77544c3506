import UndercroftCore

/// The cause of the error of a statement that names a table which no queried store has.
package struct MissingTableError: WrappingError {
  /// The name of the table as the statement spells it, with the name of the store if the statement
  /// contains it.
  package let name: String
  /// The error of the engine.
  package let wrappedError: (any Error)?

  /// Creates the cause of an error.
  package init(name: String, causedBy cause: any Error) {
    self.name = name
    wrappedError = cause
  }
}
