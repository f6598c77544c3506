import UndercroftCore
import UndercroftSQLite

/// How a declaration is read that is no declared table of the file.
enum TableSource: Sendable {
  /// A derived table: a common table expression whose rows this query returns, made of other
  /// tables.
  case derived(@Sendable (TableDefinition, borrowing Connection) throws -> SQL)
  /// The FTS5 table beside a declared one.
  case fullTextIndex(of: TableDefinition)

  /// The prefix of the name of every derived table, which no declared table may have.
  ///
  /// So the name of a derived table never hides a table of the file in the statement that reads
  /// both.
  static let reservedPrefix = "undercroft.derived."

  /// The name of a declaration in statements.
  static func name(of table: String, from source: TableSource?) -> String {
    if case .derived = source { reservedPrefix + table } else { table }
  }
}

extension TableDefinition {
  /// Makes sure that it is a table, which can be written.
  func requireTable() throws(StorageError) {
    guard source != nil else { return }
    throw StorageError(
      .misuse, "cannot write to \(quoted(name)): it is made of other tables",
      cure: "write to those", backend: "sqlite")
  }

  /// Whether it is computed from other tables.
  var isDerived: Bool { if case .derived = source { true } else { false } }
}
