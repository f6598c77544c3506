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

  /// The recommended action if a property that is used in SQL has no column.
  static let columnSuggestion = "add a Column for the property to the declaration of the table"

  /// Returns this error with the name of the column whose value could not be encoded, and with the
  /// type of the record.
  ///
  /// Returns an error of another code unchanged.
  func naming(column: String, of type: Any.Type) -> StorageError {
    code == .encodingFailed
      ? within("cannot encode the column \(quoted(column)) of the type \(type)") : self
  }

  /// Returns the recommended action if a record has no value for a key column, so that its row
  /// cannot be found.
  ///
  /// - Parameter column: The name of the key column.
  static func missingKeySuggestion(_ column: String) -> String {
    """
    set \(quoted(column)) in the record to the value in the stored row; if there is no stored row \
    yet, insert the record with insertAndFetch, which returns the stored record
    """
  }

  /// The recommended action if a trigger skipped a row that must be written.
  static let skippedRowSuggestion = """
    find the trigger that executes RAISE(IGNORE) for this row, and change the trigger or the row
    """

  /// Returns the error for a write on a connection that only reads.
  ///
  /// - Parameter action: The words after "cannot" in the message of the error.
  static func insideRead(_ action: String) -> StorageError {
    .table(
      "cannot \(action): the call is inside a read",
      suggestion: "make the call inside write { db in … }")
  }
}
