import UndercroftSQLite

/// What a query of a table is narrowed to by the words of its rows.
struct FullTextSearch: Sendable {
  /// The names under which the rows that were found stand beside the table.
  static let (row, rank, excerpt) = ("search.row", "search.rank", "search.excerpt")

  let query: SQL
  private let table: TableDefinition
  /// What the words are read from, as far as a reader must know.
  let tables: [TableDefinition]
  /// What is shown of a text, by a function of FTS5.
  var excerpt: SQL?

  init(_ query: SQL, of table: TableDefinition) {
    (self.query, self.table) = (query, table)
    let words = TableSource { _, db in try table.searchStandIn(in: db) }
    tables = [TableDefinition(table.fullText?.companionName ?? "", [], from: words)]
  }

  var companion: String { table.fullText?.companionName ?? "" }
  private var key: String { table.rowIDColumn?.name ?? "rowid" }

  /// The rows that are found, with how well they match and what is shown of them, and the table beside.
  ///
  /// The names of the search are kept apart, as the companion has columns of the same names as the table.
  func source(_ table: String) -> SQL {
    var columns: SQL = "rowid AS \(identifier: Self.row), rank AS \(identifier: Self.rank)"
    if let excerpt { columns += ", \(excerpt) AS \(identifier: Self.excerpt)" }
    return """
      (SELECT \(columns) FROM \(identifier: companion) WHERE \(identifier: companion) MATCH \(query)) \
      CROSS JOIN \(SQL(unchecked: table)) \
      ON \(SQL(unchecked: table)).\(identifier: key) = \(identifier: Self.row)
      """
  }

  /// The best first.
  var orders: [Ordering] {
    [Ordering("\(identifier: Self.rank)"), Ordering("\(identifier: Self.row)")]
  }
}
