/// A column of a table, as the schema defines it.
public struct SchemaColumn: Sendable, Hashable {
  /// The name of the column, spelled as in the definition of the table.
  public let name: String
  /// The declared type of the column, or an empty string if no type was declared.
  ///
  /// Since version 3.37, SQLite reports standard types such as `INTEGER` in
  /// upper case. Other types are spelled as in the definition of the table.
  public let type: String
  /// Whether the column was declared `NOT NULL`.
  public let isRequired: Bool
  /// The SQL expression of the default value, or `nil` if the column has no default value.
  public let defaultValue: String?
  /// The position of the column in the primary key, counted
  /// from 1, or 0 if the column is not part of the primary key.
  public let primaryKeyPosition: Int
  /// Whether the value of the column is computed from other columns.
  public let isGenerated: Bool
}
