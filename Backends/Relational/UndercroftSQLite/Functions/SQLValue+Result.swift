import CSQLite
import UndercroftFoundation

extension SQLValue {
  /// Sets this value as the result of the SQL function that is being called.
  /// (`sqlite3_result_text64` and similar functions)
  ///
  /// If the value is too large for SQLite, the function fails.
  func setResult(_ context: OpaquePointer?) {
    switch self {
    case .null: sqlite3_result_null(context)
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(var text):
      text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { text in
          // A null pointer would make the result NULL.
          guard let start = text.baseAddress, !text.isEmpty else {
            return sqlite3_result_text(context, "", 0, undercroft_sqlite_transient())
          }
          sqlite3_result_text64(
            context, start, UInt64(text.count), undercroft_sqlite_transient(), UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      bytes.withUnsafeBytes { buffer in
        guard let start = buffer.baseAddress, !buffer.isEmpty else {
          return sqlite3_result_zeroblob(context, 0)
        }
        sqlite3_result_blob64(context, start, UInt64(buffer.count), undercroft_sqlite_transient())
      }
    }
  }
}
