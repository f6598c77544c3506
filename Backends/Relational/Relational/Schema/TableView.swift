import UndercroftCore
import UndercroftSQLite

/// How a reader sees a table whose file is not in line with its declaration yet: as it will be.
struct TableView: ~Copyable {
  private let table: TableDefinition

  init(of table: TableDefinition) { self.table = table }

  /// Returns what puts itself in the place of the table in a `WITH` clause, or `nil` when that is as it is declared.
  func standIn(in db: borrowing Connection) throws -> SQL? {
    guard try db.tableExists(table.name) else {
      let nothing = table.columns.map { _ in "NULL" }.joined(separator: ", ")
      return clause("SELECT \(nothing) WHERE 0")
    }
    let present = try Set(db.columns(of: table.name).map { $0.name.lowercased() })
    if table.columns.allSatisfy({ present.contains($0.name.lowercased()) }) {
      db.mark(table)
      return nil
    }
    let columns = table.columns.map { column in
      present.contains(column.name.lowercased())
        ? SchemaText.quote(column.name) : column.defaultValue?.text ?? "NULL"
    }
    return clause("SELECT \(columns.joined(separator: ", ")) FROM main.\(table.quotedName)")
  }

  private func clause(_ select: String) -> SQL {
    SQL(unchecked: "\(table.quotedName)(\(table.columnList)) AS (\(select))")
  }
}
