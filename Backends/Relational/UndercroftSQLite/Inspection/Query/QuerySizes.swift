import CSQLite
import UndercroftCore

/// The limits of the sizes of the values of a statement.
///
/// SQLite and the caller have copies of a row at the same time, in several forms such as JSON, so a
/// row is smaller than the largest value. Larger values are read without SQL.
enum QuerySizes {
  /// The maximum number of bytes of a value, also of one that the statement only uses: 128 MiB.
  static let valueByteCount = 1 << 27
  /// The maximum number of bytes of the texts and blobs of a row of the result: 64 MiB.
  static let rowByteCount = 1 << 26

  /// Throws ``StorageError/Code/misuse`` if the current row of a statement is too large to be
  /// copied.
  static func check(_ statement: borrowing Statement) throws(StorageError) {
    let count = statement.byteCount
    guard count > rowByteCount else { return }
    throw .sqliteMisuse(
      """
      cannot run the statement: a row of the result has \(count) bytes, and the limit is \
      \(rowByteCount)
      """,
      suggestion: "select fewer columns, or parts of the values with substr(…)")
  }

  /// Throws ``StorageError/Code/misuse`` if a value of a store of named values is too large.
  static func check(_ count: Int?, ofValue name: String, in store: String) throws(StorageError) {
    guard let count, count > valueByteCount else { return }
    throw .sqliteMisuse(
      """
      cannot run the statement: the value of \(quoted(name)) in the store \(quoted(store)) has \
      \(count) bytes, and the limit is \(valueByteCount)
      """,
      suggestion: "select the column bytes instead, or exclude the name with WHERE")
  }
}

extension Statement {
  /// The number of bytes of the texts and blobs of the current row. (`sqlite3_column_bytes`)
  fileprivate var byteCount: Int {
    (0..<sqlite3_data_count(raw)).reduce(0) { sum, position in
      switch sqlite3_column_type(raw, position) {
      // The size of a number would convert the number to text.
      case SQLITE_TEXT, SQLITE_BLOB: sum + Int(sqlite3_column_bytes(raw, position))
      default: sum
      }
    }
  }
}
