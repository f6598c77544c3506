/// Who keeps the schema of a database, as far as declared tables are concerned.
public enum SchemaOwner: Sendable, Hashable {
  /// A declared table is made at its first use, and columns that were declared later are added.
  case tables
  /// A declared table and its indexes are made where they are missing, but a column is never added: that is for a migration to do.
  case migrations
}
