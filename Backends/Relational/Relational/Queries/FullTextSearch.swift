import UndercroftSQLite

/// What a query of a table is narrowed to by the words of its rows.
struct FullTextSearch: Sendable {
  /// The names under which the rows that were found stand beside the table, whose columns the companion has as well.
  static let (row, rank, excerpt) = ("search.row", "search.rank", "search.excerpt")

  let query: SQL
  /// How much a match in each column counts; 1 for those that are not named.
  private let weights: [Double]
  /// The full-text table, which is read as well.
  let companion: TableDefinition
  let key: String
  /// What is shown of a text, by a function of FTS5.
  var excerpt: SQL?

  init(_ query: SQL, of table: TableDefinition, weights: [Double]) {
    (self.query, self.weights) = (query, weights)
    key = table.rowIDColumn?.name ?? "rowid"
    companion = TableDefinition(
      table.fullText?.companionName ?? "", [], from: .fullTextIndex(of: table))
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
    let weighed: SQL = weights.isEmpty ? "" : " AND rank MATCH \(ranking)"
    return """
       JOIN (SELECT \(columns) FROM \(name) WHERE \(name) MATCH \(query)\(weighed)\(best)) \
      ON \(SQL(unchecked: table.quotedName)).\(identifier: key) = +\(identifier: Self.row)
      """
  }

  /// A query of the excerpts of some rows that match.
  ///
  /// It reads the matches once, without ranking them. A look for each row by its number would read the
  /// words of a prefix once for each row.
  func excerpts(of rows: [Int64]) -> SQL {
    let name = SQL(unchecked: companion.quotedName)
    return """
      SELECT rowid, \(excerpt ?? "NULL") FROM \(name) \
      WHERE \(name) MATCH \(query) AND +rowid IN (\(ValueList(rows).sql))
      """
  }

  /// The function that ranks rows, as FTS5 takes it.
  private var ranking: String {
    let weights = weights.map { $0.isFinite ? Self.plain($0) : "1" }
    return "bm25(\(weights.joined(separator: ", ")))"
  }

  /// A number without an exponent, which FTS5 does not read.
  private static func plain(_ number: Double) -> String {
    let parts = "\(number.magnitude)".split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return "\(number)" }
    let digits = parts[0].filter { $0 != "." }
    // The first digit is before the point.
    let point = 1 + exponent
    let sign = number < 0 ? "-" : ""
    if point <= 0 { return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)" }
    let zeros = String(repeating: "0", count: max(0, point - digits.count))
    return "\(sign)\(digits)\(zeros).0"
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
  var orders: [Ordering] { [.rank, Ordering("\(identifier: Self.row)")] }
}

extension Ordering {
  /// How well the words of a row match, the best first: after other orders of a search, `order { $0.genre }.order { _ in Ordering.rank }`.
  public static var rank: Ordering { Ordering("\(identifier: FullTextSearch.rank)") }
}
