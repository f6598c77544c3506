import UndercroftCore
import UndercroftSQLite

/// A unique index or constraint, by which `REPLACE` finds the rows that it deletes.
struct UniqueIndex: Hashable {
  struct Part: Hashable {
    /// The indexed column, or `nil` for an expression.
    let column: String?
    /// The SQL of the column or expression.
    let sql: String
    let collation: String
  }

  let parts: [Part]
  /// The SQL of the condition of a partial index, or `nil` for an index of all rows.
  let condition: String?

  /// The indexed columns, or `nil` if an expression or condition can refer to any column.
  var columns: [String]? {
    let names = parts.compactMap(\.column)
    return condition == nil && names.count == parts.count ? names : nil
  }

  /// Returns the condition under which a row of `table` conflicts with the row `NEW`.
  ///
  /// An expression of an index names columns without their table, so it cannot refer to `NEW`. To
  /// evaluate the expression for `NEW`, the condition contains a subquery whose only row has the
  /// values of `NEW`.
  func conflictCondition(in table: SourceTable) -> String {
    let name = table.name.quotedIdentifier
    let new = table.allColumns.map { column in
      "NEW.\(column.quotedIdentifier) AS \(column.quotedIdentifier)"
    }.joined(separator: ", ")
    let equalities = parts.map { part in
      let collation = part.collation.quotedIdentifier
      guard let column = part.column?.quotedIdentifier else {
        return "(\(part.sql)) = (SELECT (\(part.sql)) FROM (SELECT \(new))) COLLATE \(collation)"
      }
      return "\(name).\(column) = NEW.\(column) COLLATE \(collation)"
    }
    return (equalities + (condition.map { ["(\($0))"] } ?? [])).joined(separator: " AND ")
  }
}

extension UniqueIndex {
  /// Returns the unique indexes of a table other than the index of the primary key.
  ///
  /// (`PRAGMA index_list`, `PRAGMA index_xinfo`)
  static func all(of table: String, in db: Connection) throws -> [UniqueIndex] {
    let indexes: SQL = """
      SELECT list.name, schema.sql FROM pragma_index_list(\(table), 'main') AS list
      LEFT JOIN main.sqlite_schema AS schema ON schema.type = 'index' AND schema.name = list.name
      WHERE list."unique" AND list.origin <> 'pk' ORDER BY list.name
      """
    return try db.fetchAll(indexes) { row in (name: try row[0] as String, sql: try row[1]) }
      .map { index in try UniqueIndex(named: index.name, sql: index.sql, in: db) }
  }

  private init(named name: String, sql: String?, in db: Connection) throws {
    let source = IndexSource(sql ?? "")
    let columns: SQL = """
      SELECT name, coll FROM pragma_index_xinfo(\(name), 'main') WHERE key ORDER BY seqno
      """
    let found = try db.fetchAll(columns) { row in
      (column: try row[0] as String?, collation: try row[1] as String)
    }
    condition = source.condition
    parts = found.enumerated().map { position, part in
      Part(
        column: part.column,
        sql: part.column?.quotedIdentifier ?? source.expression(at: position),
        collation: part.collation)
    }
  }
}
