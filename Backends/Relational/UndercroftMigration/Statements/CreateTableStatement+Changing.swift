import UndercroftCore
import UndercroftSQLite

extension CreateTableStatement {
  /// Returns this statement with another table name, and without the table name in front of column
  /// names.
  func named(_ other: String) -> String {
    var edits = [(range: 0..<body.open, text: "CREATE TABLE \(other.quotedIdentifier)")]
    let tokens = sql.tokens
    for index in body.open..<max(body.open, body.close - 1)
    where tokens[index + 1].isPunctuation(".") && tokens[index].name == name.folded {
      // The digits before a decimal point are not a name.
      if tokens[index].kind == .word, tokens[index].text.first?.isNumber == true { continue }
      edits.append((index..<index + 2, ""))
    }
    return sql.replacing(edits)
  }

  /// Returns this statement with another definition of a column, or `nil` if there is no such
  /// column.
  func redefining(_ column: String, as definition: String) -> String? {
    guard let item = item(column) else { return nil }
    let name = sql.text(of: item.lowerBound..<item.lowerBound + 1)
    return sql.replacing([(item, "\(name) \(definition)")])
  }

  /// Returns this statement without a column, or `nil` if there is no such column, or if the table
  /// has no other column or constraint.
  func removing(_ column: String) -> String? {
    guard let item = item(column), let index = items.firstIndex(where: { $0.range == item }),
      items.count > 1
    else {
      return nil
    }
    let next = index + 1
    let range =
      next < items.count
      ? item.lowerBound..<items[next].range.lowerBound
      : items[index - 1].range.upperBound..<item.upperBound
    return sql.replacing([(range, "")])
  }

  /// Returns this statement with more columns after the last one, or `nil` if the statement has no
  /// column.
  func adding(_ definitions: [String]) -> String? {
    guard let last = columns.last?.range else { return nil }
    let all = ([sql.text(of: last)] + definitions).joined(separator: ", ")
    return sql.replacing([(last, all)])
  }
}

/// The part of a column definition after the name, such as `INTEGER NOT NULL`.
///
/// The application passes this SQL to a function such as `changeColumn`.
struct ColumnDefinitionSQL {
  let text: String
  private let sql: TokenizedSQL

  /// Creates a column definition from SQL.
  ///
  /// Returns `nil` if the SQL would end the definition or begin another definition, because it
  /// contains a semicolon, unbalanced parentheses, or a comma outside of parentheses.
  init?(_ text: String) {
    sql = TokenizedSQL(text)
    var depth = 0
    for token in sql.tokens {
      if token.isPunctuation("(") { depth += 1 }
      if token.isPunctuation(")") { depth -= 1 }
      if depth < 0 || token.isPunctuation(";") || (depth == 0 && token.isPunctuation(",")) {
        return nil
      }
    }
    guard depth == 0 else { return nil }
    self.text = sql.text(of: sql.tokens.indices)
  }

  var isPrimaryKey: Bool { sql.tokens.contains { $0.isWord("primary") } }
}
