import UndercroftSQLite

/// The full-text search that restricts a query of a table.
struct FullTextSearch: Sendable {
  /// The column names of the search subquery.
  ///
  /// The full-text table has columns with the same names as the searched table. The subquery
  /// exposes only the three columns below, so that the name of a column of the searched table is
  /// not ambiguous in the query.
  static let (row, rank, excerpt) = ("search.row", "search.rank", "search.excerpt")

  let query: SQL
  /// The weight of a match in each column.
  ///
  /// Missing weights are 1.
  private let weights: [Double]
  /// The full-text table that the search reads.
  let companion: TableDefinition
  let key: String
  /// The call of an FTS5 function that returns an excerpt of the indexed text, or `nil` if no
  /// excerpt is needed.
  var excerpt: SQL?

  init(_ query: SQL, of table: TableDefinition, weights: [Double]) {
    (self.query, self.weights) = (query, weights)
    key = table.rowIDColumn?.name ?? "rowid"
    companion = TableDefinition(
      table.fullText?.companionName ?? "", [], from: .fullTextIndex(of: table))
  }

  /// Returns the `JOIN` clause that joins the table with a subquery of the matching rows, their
  /// rank and their excerpt.
  ///
  /// - Parameter count: The number of best matches that the subquery returns, or `nil` for all
  ///   matches. Pass a number only if no other condition or order applies. SQLite then reads only
  ///   these rows of the table.
  func source(of table: TableDefinition, best count: Int? = nil) -> SQL {
    let name = SQL(unchecked: companion.quotedName)
    var columns: SQL = "rowid AS \(identifier: Self.row), rank AS \(identifier: Self.rank)"
    if let excerpt { columns += ", \(excerpt) AS \(identifier: Self.excerpt)" }
    let best: SQL = count.map { " ORDER BY rank, rowid LIMIT \($0)" } ?? ""
    // The unary `+` prevents SQLite from searching the full-text
    // table once for each row of the table.
    let weighed: SQL = weights.isEmpty ? "" : " AND rank MATCH \(ranking)"
    return """
       JOIN (SELECT \(columns) FROM \(name) WHERE \(name) MATCH \(query)\(weighed)\(best)) \
      ON \(SQL(unchecked: table.quotedName)).\(identifier: key) = +\(identifier: Self.row)
      """
  }

  /// Returns a query that computes the excerpts of the given rows, which match the search.
  ///
  /// The query reads the matches once, without ranking them. A lookup of each
  /// row by its rowid would read the terms of a prefix search once for each row.
  func excerpts(of rows: [Int64]) -> SQL {
    let name = SQL(unchecked: companion.quotedName)
    return """
      SELECT rowid, \(excerpt ?? "NULL") FROM \(name) \
      WHERE \(name) MATCH \(query) AND +rowid IN (\(ValueList(rows, comparedWith: "rowid").sql))
      """
  }

  /// The ranking function with its weights, in the syntax of FTS5.
  private var ranking: String {
    let weights = weights.map { $0.isFinite ? Self.plain($0) : "1" }
    return "bm25(\(weights.joined(separator: ", ")))"
  }

  /// Returns a number without an exponent, because FTS5 does not parse exponents.
  private static func plain(_ number: Double) -> String {
    let parts = "\(number.magnitude)".split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return "\(number)" }
    let digits = parts[0].filter { $0 != "." }
    // The digits have one digit before the decimal point.
    let point = 1 + exponent
    let sign = number < 0 ? "-" : ""
    if point <= 0 { return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)" }
    let zeros = String(repeating: "0", count: max(0, point - digits.count))
    return "\(sign)\(digits)\(zeros).0"
  }

  /// Adds the search to a statement, and sorts by rank if the statement has no other order.
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

  /// The sort terms of a search: the rank, with the best matches first, and then the rowid.
  var orders: [SQLOrdering] { [.rank, SQLOrdering("\(identifier: Self.row)")] }
}

extension SQLOrdering {
  /// A sort term that puts the best matches of a full-text search first.
  ///
  /// The term can follow other sort terms: `order { $0.genre }.order { _ in SQLOrdering.rank }`
  /// sorts the rows of each genre by rank.
  public static var rank: SQLOrdering { SQLOrdering("\(identifier: FullTextSearch.rank)") }
}
