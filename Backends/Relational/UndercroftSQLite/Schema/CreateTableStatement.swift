import UndercroftCore

/// A parsed `CREATE TABLE` statement whose columns, constraints and options can be replaced.
///
/// Two extensions in other modules use the tokens of ``sql``:
/// `CreateTableStatement+Constraints.swift` in `UndercroftRelational` parses constraints, and
/// `CreateTableStatement+Changing.swift` in `UndercroftMigration` changes the statement.
package struct CreateTableStatement {
  /// One item of the list in parentheses: a column definition, or a table constraint.
  package struct Item {
    /// The name of the column without quotes, in the letter case of the statement, or an empty
    /// string for a constraint.
    package let name: String
    /// The SQL of the item, without comments.
    package let text: String
    package let tokens: [SQLTokenizer.Token]
    package let range: Range<Int>
    package let isConstraint: Bool
  }

  package let sql: TokenizedSQL
  /// The name of the table without quotes, in the letter case of the statement.
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
    var index = 0
    func skips(_ word: String) -> Bool {
      guard tokens.indices.contains(index), tokens[index].isWord(word) else { return false }
      index += 1
      return true
    }
    guard skips("create"), skips("table") else { return nil }
    if skips("if"), !(skips("not") && skips("exists")) { return nil }
    if tokens.indices.contains(index + 1), tokens[index + 1].isPunctuation(".") {
      guard tokens[index].name == "main" else { return nil }
      index += 2
    }
    guard tokens.indices.contains(index), !tokens[index].isPunctuation,
      tokens.indices.contains(index + 1), tokens[index + 1].isPunctuation("("),
      let close = sql.closing(of: index + 1)
    else { return nil }
    self.sql = sql
    name = sql.spelling(at: index)
    body = (index + 1, close)
    items = sql.items(in: index + 2..<close).map { Item($0, of: sql) }
  }

  package var columns: [Item] { items.filter { !$0.isConstraint } }
  package var constraints: [Item] { items.filter(\.isConstraint) }

  /// The tokens after the list of items, such as `STRICT`.
  package var options: [SQLTokenizer.Token] { Array(sql.tokens[(body.close + 1)...]) }

  package var isAutoincrementing: Bool {
    sql.tokens[body.open..<body.close].contains { $0.isWord("autoincrement") }
  }

  /// Returns the range of the tokens that define a column, or `nil` if there is no such column.
  package func item(_ column: String) -> Range<Int>? {
    items.first { !$0.isConstraint && $0.name.folded == column.folded }?.range
  }

  /// Returns the definition of a column without its name, or `nil` if there is no such column.
  package func definition(of column: String) -> String? {
    item(column).map { sql.text(of: $0.lowerBound + 1..<$0.upperBound) }
  }
}

extension CreateTableStatement.Item {
  /// The keywords that begin a table constraint at a position where a column name is also allowed.
  private static let constraintWords: Set = ["constraint", "primary", "unique", "check", "foreign"]

  fileprivate init(_ range: Range<Int>, of sql: TokenizedSQL) {
    let first = sql.tokens[range.lowerBound]
    isConstraint = first.kind == .word && Self.constraintWords.contains(first.text)
    name = isConstraint ? "" : sql.spelling(at: range.lowerBound)
    text = sql.plainText(of: range)
    tokens = Array(sql.tokens[range])
    self.range = range
  }
}
