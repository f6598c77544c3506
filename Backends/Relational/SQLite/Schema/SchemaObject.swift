/// A table, index, view or trigger, as the schema has it.
public struct SchemaObject: Sendable, Hashable {
  /// What it is.
  public enum Kind: String, Sendable, CaseIterable {
    case table, index, view, trigger
  }

  /// What it is.
  public let kind: Kind
  /// Its name as it was spelled.
  public let name: String
  /// The table it belongs to; its own name for a table or view.
  public let table: String
  /// The statement that made it, or `nil` for an index that SQLite made for a constraint.
  public let sql: String?
}
