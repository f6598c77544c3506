import UndercroftSQLite

/// The parts of a `CREATE INDEX` statement that no pragma returns.
struct IndexSource {
  private let sql: TokenizedSQL
  private var items: [Range<Int>] = []
  /// The SQL of the condition of a partial index, or `nil` for an index of all rows.
  private(set) var condition: String?

  init(_ text: String) {
    sql = TokenizedSQL(text)
    // The name of the index or table can be "on" in quotes, but only the keyword follows the name.
    guard let opening = sql.opening(), let closing = sql.closing(of: opening) else { return }
    items = sql.items(in: opening + 1..<closing)
    let rest = closing + 1..<sql.tokens.count
    guard let keyword = rest.first, sql.tokens[keyword].isWord("where") else { return }
    condition = sql.text(of: keyword + 1..<sql.tokens.count)
  }

  /// Returns the SQL of the expression at a position of the index, without collation and order.
  func expression(at position: Int) -> String {
    guard items.indices.contains(position) else { return "NULL" }
    var range = items[position]
    while let last = range.last, range.count > 1 {
      if sql.tokens[last].isWord("asc") || sql.tokens[last].isWord("desc") {
        range = range.dropLast()
      } else if range.count > 2, sql.tokens[last - 1].isWord("collate") {
        range = range.dropLast(2)
      } else {
        break
      }
    }
    return sql.text(of: range)
  }
}
