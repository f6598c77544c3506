import UndercroftCore
import UndercroftSQLite

/// What a declaration is read from that is no table itself, but made of others.
struct TableSource: Sendable {
  /// Returns what stands for it in a `WITH` clause, with the tables in line that it is made of; `nil` where nothing need to.
  let standIn: @Sendable (TableDefinition, borrowing Connection) throws -> SQL?
}

extension TableDefinition {
  /// Makes sure that it is a table, which can be written.
  func requireTable() throws(StorageError) {
    guard source != nil else { return }
    throw StorageError(
      .misuse, "cannot write to \(quoted(name)): it is made of other tables",
      cure: "write to those", backend: "sqlite")
  }
}
