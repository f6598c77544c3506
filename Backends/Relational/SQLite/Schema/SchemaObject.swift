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

extension SchemaObject {
  /// The prefix of the names of all indexes, triggers and helper tables that declared tables create.
  package static let declaredPrefix = "undercroft."

  /// Whether a declared table created this index, trigger or helper table.
  ///
  /// A declared table creates a missing one at its next use, so schema tools may drop it.
  package var isDeclared: Bool {
    kind != .view && name.utf8.starts(with: Self.declaredPrefix.utf8)
  }
}
