/// The declared type of a column, which determines how SQLite stores its values.
public enum ColumnType: String, Sendable, Hashable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
}
