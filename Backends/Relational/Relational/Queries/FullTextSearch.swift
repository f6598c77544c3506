import UndercroftSQLite

/// What a query of a table is narrowed to by the words of its rows.
struct FullTextSearch: Sendable {
  /// The names under which the rows that were found stand beside the table, whose columns the companion has as well.
  static let (row, rank, excerpt) = ("search.row", "search.rank", "search.excerpt")

  let query: SQL
  /// The full-text table, which is read as well.
  let companion: TableDefinition
  let key: String
  /// What is shown of a text, by a function of FTS5.
  var excerpt: SQL?

  init(_ query: SQL, of table: TableDefinition) {
    self.query = query
    key = table.rowIDColumn?.name ?? "rowid"
    companion = TableDefinition(
      table.fullText?.companionName ?? "", [],
      from: TableSource { _, db in try table.searchStandIn(in: db) })
  }

  /// The rows that are found, with how well they match and what is shown of them, joined to the table.
  ///
  /// - Parameter count: How many of the best are enough, where nothing else decides; the table is then looked at for these alone.
  func source(of table: TableDefinition, best count: Int? = nil) -> SQL {
    let name = SQL(unchecked: companion.quotedName)
    var columns: SQL = "rowid AS \(identifier: Self.row), rank AS \(identifier: Self.rank)"
    if let excerpt { columns += ", \(excerpt) AS \(identifier: Self.excerpt)" }
    let best: SQL = count.map { " ORDER BY rank, rowid LIMIT \($0)" } ?? ""
    // The sign keeps SQLite from asking for the words of one row after the other.
    return """
       JOIN (SELECT \(columns) FROM \(name) WHERE \(name) MATCH \(query)\(best)) \
      ON \(SQL(unchecked: table.quotedName)).\(identifier: key) = +\(identifier: Self.row)
      """
  }

  /// Puts the best first where nothing else was said.
  func rank(_ statement: inout SelectStatement, of table: TableDefinition) {
    let isPlain = statement.orders.isEmpty && statement.condition == nil && !statement.isDistinct
    var best: Int?
    if isPlain, let limit = statement.limit {
      best = max(0, limit).addingReportingOverflow(max(0, statement.offset)).partialValue
    }
    statement.source =
      SQL(unchecked: table.quotedName) + source(of: table, best: best)
    if statement.orders.isEmpty { statement.orders = orders }
  }

  /// The best first.
  var orders: [Ordering] {
    [Ordering("\(identifier: Self.rank)"), Ordering("\(identifier: Self.row)")]
  }
}
