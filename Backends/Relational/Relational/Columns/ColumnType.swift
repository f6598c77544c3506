/// How SQLite keeps the values of a column: its declared type.
public enum ColumnType: String, Sendable, Hashable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
}
