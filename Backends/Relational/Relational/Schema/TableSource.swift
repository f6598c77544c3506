import UndercroftSQLite

/// What a declaration is read from that is no table itself, but made of others.
struct TableSource: Sendable {
  /// Returns what stands for it in a `WITH` clause, with the tables in line that it is made of.
  let standIn: @Sendable (TableDefinition, borrowing Connection) throws -> SQL
}
