package import UndercroftCore

extension StorageError {
  /// Returns the error of a statement that has reached its time limit.
  package static func reachedTimeLimit(_ limit: Duration) -> StorageError {
    StorageError(
      .interrupted,
      "cannot run the statement: the statement did not end within \(limit)",
      suggestion: """
        pass a longer time with --time-limit, or create an index that the plan of the statement \
        suggests
        """)
  }
}
