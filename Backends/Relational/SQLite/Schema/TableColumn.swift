/// A column of a table, as its definition has it.
public struct TableColumn: Sendable, Hashable {
  /// Its name as it was spelled.
  public let name: String
  /// The type as it was spelled; empty without one.
  public let type: String
  /// Whether it was declared `NOT NULL`.
  public let isRequired: Bool
  /// The SQL of its default, or `nil` without one.
  public let defaultValue: String?
  /// Its place in the primary key, counted from 1; 0 outside of it.
  public let primaryKeyPosition: Int
  /// Whether its value is computed from other columns.
  public let isGenerated: Bool
}
