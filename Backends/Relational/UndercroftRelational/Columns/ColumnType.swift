/// The declared type of a column, which determines how SQLite stores its values.
public enum ColumnType: String, Sendable, Hashable {
  /// Integers of 64 bits.
  case integer = "INTEGER"
  /// Floating-point numbers of 64 bits.
  case real = "REAL"
  /// Texts in the encoding of the database.
  case text = "TEXT"
  /// Bytes, which are stored unchanged.
  case blob = "BLOB"
}
