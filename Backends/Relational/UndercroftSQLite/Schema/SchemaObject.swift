/// A table, index, view or trigger of a schema.
public struct SchemaObject: Sendable, Hashable {
  /// The kinds of objects in a schema.
  public enum Kind: String, Sendable, CaseIterable {
    case table = "table"
    case index = "index"
    case view = "view"
    case trigger = "trigger"
  }

  /// The kind of the object.
  public let kind: Kind
  /// The name of the object, as it was spelled.
  public let name: String
  /// The table that the object belongs to.
  ///
  /// For a table or view, this is the name of the object itself.
  public let table: String
  /// The statement that created the object,
  /// or `nil` for an index that SQLite created for a constraint.
  public let sql: String?
}

extension SchemaObject {
  /// The prefix of the names of all indexes, triggers and helper tables of declared tables.
  package static let declaredPrefix = "undercroft."

  /// Whether a declared table created this index, trigger or helper table.
  ///
  /// Schema tools can drop such an object, because the declared table creates the object again when
  /// the table is next used.
  package var isDeclared: Bool {
    kind != .view && name.utf8.starts(with: Self.declaredPrefix.utf8)
  }
}
