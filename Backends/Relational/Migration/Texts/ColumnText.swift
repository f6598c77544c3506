import UndercroftSQLite

/// The definition of one column as it is given by the caller: one, and whole.
struct ColumnText {
  let text: String
  private let sql: SQLText

  /// Returns `nil` for what would end the definition or begin another.
  init?(_ text: String) {
    sql = SQLText(text)
    var depth = 0
    for token in sql.tokens {
      if token.isMark("(") { depth += 1 }
      if token.isMark(")") { depth -= 1 }
      if depth < 0 || token.isMark(";") || (depth == 0 && token.isMark(",")) { return nil }
    }
    guard depth == 0 else { return nil }
    self.text = sql.text(of: sql.tokens.indices)
  }

  var isPrimaryKey: Bool { sql.tokens.contains { $0.isWord("primary") } }
}
