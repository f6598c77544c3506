import UndercroftCore
import UndercroftSQLite

extension StorageError {
  /// Returns an error for a declared table, or for a type that is stored in a table.
  static func table(
    _ message: String, suggestion: String? = nil, as code: Code = .misuse,
    underlying: (any Error)? = nil
  ) -> StorageError {
    StorageError(
      code, message, suggestion: suggestion, backend: SQLiteBackend.name, underlying: underlying)
  }

  /// Returns the error for a write on a connection that only reads.
  ///
  /// - Parameter action: The words after "cannot" in the message of the error.
  static func insideRead(_ action: String) -> StorageError {
    .table(
      "cannot \(action): the call is inside a read",
      suggestion: "make the call inside write { db in … }")
  }
}
