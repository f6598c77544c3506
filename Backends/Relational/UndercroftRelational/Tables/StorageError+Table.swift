import UndercroftCore
import UndercroftSQLite

extension StorageError {
  /// Returns an error of a declared table or of a type that is stored in one.
  static func table(
    _ message: String, suggestion: String? = nil, as code: Code = .misuse,
    underlying: (any Error)? = nil
  ) -> StorageError {
    StorageError(
      code, message, suggestion: suggestion, backend: SQLiteBackend.name, underlying: underlying)
  }

  /// Returns the error for a write on a connection that only reads.
  static func insideRead(_ action: String) -> StorageError {
    .table("cannot \(action): it is inside a read", suggestion: "call write { db in … }")
  }
}
