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
  /// The name of the object, spelled as in the statement that created the object.
  public let name: String
  /// The name of the table or view on which the index or trigger is defined.
  ///
  /// For a table or view, the value is the name of the object itself.
  public let table: String
  /// The statement that created the object, or `nil` for an index
  /// that SQLite created for a `PRIMARY KEY` or `UNIQUE` constraint.
  public let sql: String?
}

extension SchemaObject {
  /// The prefix of the names of all indexes, triggers and helper
  /// tables that the library creates for declared tables.
  ///
  /// A declared table is a table that the application declares in Swift, as a `TableRecord`.
  package static let declaredPrefix = "undercroft."

  /// Whether the library created this index, trigger or helper table for a declared table.
  ///
  /// A declared table is a table that the application declares in Swift, as
  /// a `TableRecord`. Schema tools can drop such an object, because the
  /// library creates the object again when the declared table is next used.
  package var isDeclared: Bool {
    kind != .view && name.utf8.starts(with: Self.declaredPrefix.utf8)
  }
}
