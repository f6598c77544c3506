import UndercroftCore
import UndercroftSQLite

/// The source of the rows of a ``TableDefinition`` that does not describe an ordinary table.
enum DerivedSource: Sendable {
  /// A derived table: a common table expression whose rows are read from other tables.
  case derived(any DerivedRows)
  /// The FTS5 table of a declared table.
  case fullTextIndex(of: TableDefinition)

  /// The prefix of the names of all derived tables.
  ///
  /// The name of a declared table must not start with this prefix. A derived table therefore never
  /// hides a table of the file in a statement that reads both.
  static let reservedPrefix = "undercroft.derived."

  /// Returns the name by which statements refer to a declared table.
  ///
  /// For a derived table, the result is `reservedPrefix` followed by the declared name. For any
  /// other table, the result is the declared name.
  static func name(of table: String, from source: DerivedSource?) -> String {
    if case .derived = source { reservedPrefix + table } else { table }
  }
}

/// The rows of a derived table, which are read from other tables.
protocol DerivedRows: Sendable {
  /// Reconciles the source tables, from which the rows are computed, with their declarations.
  ///
  /// The connection must be a writing connection.
  func ensureSchema(in db: Connection) throws

  /// Returns a query of the rows with the columns of the derived table.
  func query(as table: TableDefinition, in db: Connection) throws -> SQL
}

extension TableDefinition {
  /// Verifies that the declaration describes a table in the file, so that rows can be written.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the rows have a ``DerivedSource``.
  func requireTable() throws(StorageError) {
    guard source != nil else { return }
    throw StorageError.table(
      "cannot write to \(quoted(name)): this table is derived from other tables",
      suggestion: "write to the tables from which the derived table reads")
  }

  /// Whether the rows are computed from other tables.
  var isDerived: Bool { if case .derived = source { true } else { false } }
}
