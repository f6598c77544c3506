import UndercroftSQLite

/// The parts of a `SELECT` statement.
///
/// The property `sql` joins the parts.
///
/// ``TableQuery``, ``JoinQuery``, ``GroupedQuery``, ``Projection`` and ``QueryCommand`` use this
/// type. Statements with a fixed form, such as ``ReadStatements/all``, are built without this type.
struct SelectStatement: Sendable {
  var isDistinct = false
  var columns: SQL
  /// The SQL that follows `FROM`.
  var source: SQL
  var condition: Condition?
  var groups: [SQL] = []
  var having: Condition?
  var orders: [SQLOrdering] = []
  var limit: Int?
  var offset = 0

  init(_ columns: SQL, from source: SQL) { (self.columns, self.source) = (columns, source) }

  var sql: SQL {
    var sql: SQL = isDistinct ? "SELECT DISTINCT " : "SELECT "
    sql += "\(columns) FROM \(source)"
    if let condition { sql += " WHERE \(condition.sql)" }
    if !groups.isEmpty { sql += " GROUP BY \(groups.joined(separator: ", "))" }
    if let having { sql += " HAVING \(having.sql)" }
    if !orders.isEmpty { sql += " ORDER BY \(orders.map(\.sql).joined(separator: ", "))" }
    // SQLite treats a negative limit as no limit.
    if limit != nil || offset > 0 { sql += " LIMIT \(limit.map { max(0, $0) } ?? -1)" }
    if offset > 0 { sql += " OFFSET \(offset)" }
    return sql
  }

  /// The tables that are read by subqueries in the conditions and sort terms of the statement.
  var tables: [TableDefinition] {
    (condition?.tables ?? []) + (having?.tables ?? []) + orders.flatMap(\.tables)
  }
}
