import UndercroftCore
import UndercroftSQLite

/// A common table expression that a read-only connection reads
/// instead of a table that is missing or lacks columns.
///
/// The expression presents the table as a writer would create it.
struct ReadSubstitute {
  /// The name of the table and of the common table expression.
  let name: String
  /// The columns that the table has in the file, or `nil` if there is no such table.
  private let present: [String]?
  private var missing: [ColumnDefinition]

  /// Creates the substitute for a table, or returns `nil` if the file has the table with all
  /// declared columns.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the table differs from its declaration in another
  ///   way, or if a writer could not add a missing column.
  init?(for table: TableDefinition, in db: Connection) throws {
    name = table.name
    guard let existing = try ExistingTable(table.name, in: db) else {
      (present, missing) = (nil, table.columns)
      return
    }
    let comparison = try TableComparison(table, with: existing)
    let isEmpty = try !comparison.missing.isEmpty && table.isEmpty(in: db)
    try comparison.check(table, owner: db.schemaOwner, isEmpty: isEmpty)
    if comparison.missing.isEmpty {
      table.markReadVerified(in: db)
      return nil
    }
    (present, missing) = (existing.columns.map(\.name), comparison.missing)
  }

  /// Creates the substitute for a table that has the given columns and no rows.
  init(empty name: String, columns: [String]) {
    self.name = name
    (present, missing) = (nil, columns.map { ColumnDefinition($0, .text) })
  }

  /// Adds the columns that the file lacks and that another declaration of the same table contains.
  mutating func merge(_ other: ReadSubstitute) {
    let names = SQLName.folded(missing.map(\.name))
    missing += other.missing.filter { !names.contains(SQLName.folded($0.name)) }
  }

  /// The common table expression in SQL.
  var sql: SQL {
    let names = (present ?? []) + missing.map(\.name)
    return SQL(unchecked: "\(name.quotedIdentifier)(\(DDLBuilder.list(names))) AS (\(rows(names)))")
  }

  private func rows(_ names: [String]) -> String {
    guard let present else {
      let nothing = missing.map { $0.collating("NULL") }
      return "SELECT \(nothing.joined(separator: ", ")) WHERE 0"
    }
    let defaults = missing.filter { $0.generator == nil }.map { column in
      "\(column.collating(column.defaultValue?.text ?? "NULL")) AS \(column.name.quotedIdentifier)"
    }
    let columns = present.map(\.quotedIdentifier) + defaults
    var rows = "SELECT \(columns.joined(separator: ", ")) FROM main.\(name.quotedIdentifier)"
    // A computed column can depend on another missing column.
    for column in missing {
      guard let generator = column.generator else { continue }
      let value = column.collating(column.type.converting("(\(generator.expression))"))
      rows = "SELECT *, \(value) AS \(column.name.quotedIdentifier) FROM (\(rows))"
    }
    let hasGenerated = missing.contains { $0.generator != nil }
    return hasGenerated ? "SELECT \(DDLBuilder.list(names)) FROM (\(rows))" : rows
  }
}

extension ColumnDefinition {
  /// Returns an expression with the collation of the column, if the column declares a collation.
  func collating(_ expression: String) -> String {
    collation.map { "(\(expression)) COLLATE \($0.quotedIdentifier)" } ?? expression
  }
}

extension ColumnType {
  /// Returns an expression that converts a value in the same way as a column of this type converts
  /// stored values. ("Datatypes in SQLite", 3: type affinity)
  fileprivate func converting(_ expression: String) -> String {
    switch self {
    case .blob: expression
    case .text:
      """
      CASE WHEN typeof(\(expression)) IN ('integer', 'real') THEN CAST(\(expression) AS TEXT) \
      ELSE \(expression) END
      """
    case .real:
      """
      CASE typeof(\(expression)) WHEN 'integer' THEN CAST(\(expression) AS REAL) \
      ELSE \(expression) END
      """
    case .integer:
      """
      CASE WHEN typeof(\(expression)) = 'real' AND \(expression) = CAST(\(expression) AS INTEGER) \
      OR typeof(\(expression)) = 'text' \
      AND \(expression) = CAST(CAST(\(expression) AS INTEGER) AS TEXT) \
      THEN CAST(\(expression) AS INTEGER) ELSE \(expression) END
      """
    }
  }
}
