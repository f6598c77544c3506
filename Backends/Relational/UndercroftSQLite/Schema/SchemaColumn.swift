/// A column of a table, as the schema defines it.
public struct SchemaColumn: Sendable, Hashable {
  /// The name of the column, as it was spelled.
  public let name: String
  /// The type of the column as it was spelled, or an empty string if the column has no type.
  public let type: String
  /// Whether the column was declared `NOT NULL`.
  public let isRequired: Bool
  /// The SQL of the default value, or `nil` if the column has no default value.
  public let defaultValue: String?
  /// The position of the column in the primary key, counted from 1, or 0 if the column is not part
  /// of the key.
  public let primaryKeyPosition: Int
  /// Whether the value of the column is computed from other columns.
  public let isGenerated: Bool
}
