import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// The rows of all tables of a database.
struct DatabaseContents {
  struct Table {
    let name: String
    /// The names of the columns and their types in lower case, without generated columns.
    let columns: [(name: String, type: String)]
    let rows: [[SQLValue]]
  }

  /// The tables, keyed by name in lower case.
  private(set) var tables: [ExactString: Table] = [:]

  init(of db: Connection) throws {
    for object in try DatabaseSchema(of: db).objects
    where object.kind == .table && !object.isDeclared {
      if let virtual = VirtualTable(object), virtual.rows != .internalContent { continue }
      let columns = try db.columns(of: object.name).filter { !$0.isGenerated }
      if columns.isEmpty { continue }
      let list = columns.map { "\(identifier: $0.name)" as SQL }.joined(separator: ", ")
      let rows = try db.fetchAll("SELECT \(list) FROM \(identifier: object.name)") { row in
        try (0..<row.count).map { try row[$0] as SQLValue }
      }
      tables[object.name.folded] = Table(
        name: object.name, columns: columns.map { ($0.name, $0.type.folded.text) }, rows: rows)
    }
  }

  /// The columns of all tables, each with its table and type.
  var columns: Set<TableColumnName> {
    Set(
      tables.flatMap { table, content in
        content.columns.map {
          TableColumnName(table: table, column: $0.name.folded, type: $0.type.exact)
        }
      })
  }

  /// Returns the contents of the tables with these names only.
  func only(_ names: Set<String>) -> DatabaseContents {
    var some = self
    let names = Set(names.map(\.folded))
    some.tables = tables.filter { names.contains($0.key) }
    return some
  }

  /// The number of rows of each table, keyed by the name of the table.
  var counts: [String: Int] {
    Dictionary(tables.values.map { ($0.name, $0.rows.count) }) { first, _ in first }
  }
}

/// The table, the name and the type of a column, all in lower case.
struct TableColumnName: Hashable {
  let table: ExactString
  let column: ExactString
  let type: ExactString
}
