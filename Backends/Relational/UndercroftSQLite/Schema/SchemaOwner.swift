/// The component that changes the schema of a database:
/// the tables that are declared in Swift, or migrations.
public enum SchemaOwner: Sendable, Hashable {
  /// The tables that are declared in Swift: the first use of a table
  /// creates the table, and adds columns that were declared later.
  case tables
  /// Migrations: the first use of a table that is declared in Swift creates the
  /// table and its indexes if they are missing, but only a migration adds columns.
  case migrations
}
