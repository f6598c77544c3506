import UndercroftSQLite

/// The definition of one column by the caller, verified to be complete and not more than one.
struct ColumnText {
  let text: String
  private let sql: TokenizedSQL

  /// Creates the definition.
  ///
  /// Returns `nil` if the text would end the definition or begin another one.
  init?(_ text: String) {
    sql = TokenizedSQL(text)
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
