import UndercroftSQLite

/// What a query of a table is narrowed to by the words of its rows.
struct FullTextSearch: Sendable {
  /// The names under which the rows that were found stand beside the table.
  static let (row, rank, excerpt) = ("search.row", "search.rank", "search.excerpt")

  let query: SQL
  let companion: String
  let key: String
  /// What is shown of a text, by a function of FTS5.
  var excerpt: SQL?

  /// The rows that are found, with how well they match and what is shown of them, and the table beside.
  ///
  /// The names of the search are kept apart, as the companion has columns of the same names as the table.
  ///
  /// - Parameter count: How many of the best are enough, where nothing else decides; the table is then looked at for these alone.
  func source(_ table: String, best count: Int? = nil) -> SQL {
    var columns: SQL = "rowid AS \(identifier: Self.row), rank AS \(identifier: Self.rank)"
    if let excerpt { columns += ", \(excerpt) AS \(identifier: Self.excerpt)" }
    let best: SQL = count.map { " ORDER BY rank, rowid LIMIT \($0)" } ?? ""
    return """
      (SELECT \(columns) FROM \(identifier: companion) WHERE \(identifier: companion) MATCH \(query)\(best)) \
      CROSS JOIN \(SQL(unchecked: table)) \
      ON \(SQL(unchecked: table)).\(identifier: key) = \(identifier: Self.row)
      """
  }

  /// The best first.
  var orders: [SQL] { ["\(identifier: Self.rank)", "\(identifier: Self.row)"] }
}
