/// The component that changes the schema of a database: declared tables or migrations.
public enum SchemaOwner: Sendable, Hashable {
  /// Declared tables: a table is created at its first use,
  /// and columns that were declared later are added.
  case tables
  /// Migrations: a declared table and its indexes are created if they are missing, but columns are
  /// added only by a migration.
  case migrations
}
