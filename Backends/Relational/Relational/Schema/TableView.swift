import UndercroftCore
import UndercroftSQLite

/// How a reader sees a table whose file is not in line with its declaration yet: as it will be.
struct TableView: ~Copyable {
  private let table: TableDefinition

  init(of table: TableDefinition) { self.table = table }

  /// Returns what puts itself in the place of the table in a `WITH` clause, or `nil` when that is as it is declared.
  func standIn(in db: borrowing Connection) throws -> SQL? {
    guard let found = try FoundTable(table.name, in: db) else {
      let nothing = table.columns.map { _ in "NULL" }.joined(separator: ", ")
      return clause("SELECT \(nothing) WHERE 0")
    }
    let comparison = try TableComparison(table, with: found)
    let isEmpty = try !comparison.missing.isEmpty && table.isEmpty(in: db)
    try comparison.check(table, owner: db.schemaOwner, isEmpty: isEmpty)
    if comparison.missing.isEmpty {
      table.markReadable(in: db)
      return nil
    }
    return clause(completed(by: comparison.missing))
  }

  /// The rows with what they will have in columns that are missing.
  private func completed(by missing: [ColumnDefinition]) -> String {
    let names = SQLName.folded(missing.map(\.name))
    // A computed column may be computed from one that is missing as well.
    let kept = table.columns.filter {
      $0.generator == nil || !names.contains(SQLName.folded($0.name))
    }
    let values = kept.map { column in
      let name = column.name.asName
      let isMissing = names.contains(SQLName.folded(column.name))
      return isMissing ? "\(column.defaultValue?.text ?? "NULL") AS \(name)" : name
    }
    let stored = "SELECT \(values.joined(separator: ", ")) FROM main.\(table.quotedName)"
    if kept.count == table.columns.count { return stored }
    let all = table.columns.map { column in
      guard let generator = column.generator, names.contains(SQLName.folded(column.name)) else {
        return column.name.asName
      }
      return "(\(generator.expression))"
    }
    return "SELECT \(all.joined(separator: ", ")) FROM (\(stored))"
  }

  private func clause(_ select: String) -> SQL {
    SQL(unchecked: "\(table.quotedName)(\(table.columnList)) AS (\(select))")
  }
}
