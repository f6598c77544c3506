import UndercroftCore

/// A parsed `CREATE TABLE` statement whose columns, constraints and options can be replaced.
package struct CreateTableStatement {
  /// One item of the list in parentheses: a column definition, or a table constraint.
  package struct Item {
    /// The name of the column as it is spelled, without quotes,
    /// or an empty string for a constraint.
    package let name: String
    /// The SQL of the item, without comments.
    package let text: String
    package let tokens: [SQLTokenizer.Token]
    package let places: Range<Int>
    package let isConstraint: Bool
  }

  package let sql: TokenizedSQL
  /// The name of the table as it is spelled.
  package let name: String
  /// The token indices of the parentheses that enclose the items.
  package let body: (open: Int, close: Int)
  /// The column definitions and table constraints, in their order.
  package let items: [Item]

  /// Parses a `CREATE TABLE` statement.
  ///
  /// - Returns: `nil` for any other statement, for a temporary table, and for
  ///   `CREATE TABLE … AS SELECT`.
  package init?(_ text: String) {
    let sql = TokenizedSQL(text)
    let tokens = sql.tokens
    var place = 0
    func takes(_ word: String) -> Bool {
      guard tokens.indices.contains(place), tokens[place].isWord(word) else { return false }
      place += 1
      return true
    }
    guard takes("create"), takes("table") else { return nil }
    if takes("if"), !(takes("not") && takes("exists")) { return nil }
    if tokens.indices.contains(place + 1), tokens[place + 1].isMark(".") {
      guard tokens[place].name == "main" else { return nil }
      place += 2
    }
    guard tokens.indices.contains(place), !tokens[place].isMark,
      tokens.indices.contains(place + 1), tokens[place + 1].isMark("("),
      let close = sql.closing(of: place + 1)
    else { return nil }
    self.sql = sql
    name = sql.spelling(at: place)
    body = (place + 1, close)
    items = sql.items(in: place + 2..<close).map { Item($0, of: sql) }
  }

  package var columns: [Item] { items.filter { !$0.isConstraint } }
  package var constraints: [Item] { items.filter(\.isConstraint) }

  /// The tokens after the list of items, such as `STRICT`.
  package var options: [SQLTokenizer.Token] { Array(sql.tokens[(body.close + 1)...]) }

  package var isAutoincrementing: Bool {
    sql.tokens[body.open..<body.close].contains { $0.isWord("autoincrement") }
  }

  /// Returns the places of a column's definition.
  package func item(_ column: String) -> Range<Int>? {
    items.first { !$0.isConstraint && $0.name.folded == column.folded }?.places
  }

  /// Returns the definition of a column without its name.
  package func definition(of column: String) -> String? {
    item(column).map { sql.text(of: $0.lowerBound + 1..<$0.upperBound) }
  }
}

extension CreateTableStatement.Item {
  /// Keywords that begin a constraint where a column name could be.
  private static let constraintWords: Set = ["constraint", "primary", "unique", "check", "foreign"]

  fileprivate init(_ places: Range<Int>, of sql: TokenizedSQL) {
    let first = sql.tokens[places.lowerBound]
    isConstraint = first.kind == .word && Self.constraintWords.contains(first.text)
    name = isConstraint ? "" : sql.spelling(at: places.lowerBound)
    text = sql.plainText(of: places)
    tokens = Array(sql.tokens[places])
    self.places = places
  }
}
