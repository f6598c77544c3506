/// The declared type of a column, which determines how SQLite stores its values.
public enum ColumnType: String, Sendable, Hashable {
  /// 64-bit integers.
  case integer = "INTEGER"
  /// 64-bit floating-point numbers.
  case real = "REAL"
  /// Text in the encoding of the database.
  case text = "TEXT"
  /// Bytes, which are stored unchanged.
  case blob = "BLOB"
}
