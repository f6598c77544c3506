import UndercroftCore
import UndercroftSQLite

/// A `CREATE TABLE` statement, whose parts can be replaced.
struct TableText {
  private let sql: SQLText
  /// The name as it is spelled.
  let name: String
  /// The places of the bracket that opens the columns and of the one that closes them.
  private let body: (open: Int, close: Int)
  /// The columns' definitions and the table's constraints.
  private let items: [Range<Int>]

  /// Reads a text; `nil` for any other statement, and for a temporary table or one that is made of a query.
  init?(_ text: String) {
    let sql = SQLText(text)
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
    name = Self.spelling(sql.text(of: place..<place + 1))
    body = (place + 1, close)
    items = sql.items(in: place + 2..<close)
  }

  /// A name as it was written, without its quotes, of which two stand for one.
  static func spelling(_ text: String) -> String {
    // Not by characters, as a quote may be the beginning of one that has an accent.
    let scalars = Array(text.unicodeScalars)
    guard let first = scalars.first, let last = scalars.last, scalars.count > 1,
      first == "[" || ["\"", "'", "`"].contains(first)
    else { return text }
    var name = ""
    var isSecond = false
    for scalar in scalars.dropFirst().dropLast() {
      isSecond = first != "[" && scalar == last && !isSecond
      if !isSecond { name.unicodeScalars.append(scalar) }
    }
    return name
  }

  // MARK: What it says

  var isAutoincrementing: Bool {
    sql.tokens[body.open..<body.close].contains { $0.isWord("autoincrement") }
  }

  private func isConstraint(_ item: Range<Int>) -> Bool {
    let words: Set = ["constraint", "primary", "unique", "check", "foreign"]
    let token = sql.tokens[item.lowerBound]
    return token.isWord && words.contains(token.text)
  }

  private func item(_ column: String) -> Range<Int>? {
    items.first { !isConstraint($0) && sql.tokens[$0.lowerBound].name == column.folded }
  }

  /// The definition of a column, its name being left out.
  func definition(of column: String) -> String? {
    item(column).map { sql.text(of: $0.lowerBound + 1..<$0.upperBound) }
  }

  // MARK: Changes

  /// The same for a table of another name, which stands at no column any more.
  func named(_ other: String) -> String {
    var edits = [(places: 0..<body.open, text: "CREATE TABLE \(other.asName)")]
    let tokens = sql.tokens
    for place in body.open..<max(body.open, body.close - 1)
    where tokens[place + 1].isMark(".") && tokens[place].name == name.folded {
      // The digits before a point are no name.
      if tokens[place].isWord, tokens[place].text.first?.isNumber == true { continue }
      edits.append((place..<place + 2, ""))
    }
    return sql.replacing(edits)
  }

  /// The same with another definition of a column.
  func redefining(_ column: String, as definition: String) -> String? {
    guard let item = item(column) else { return nil }
    let name = sql.text(of: item.lowerBound..<item.lowerBound + 1)
    return sql.replacing([(item, "\(name) \(definition)")])
  }

  /// The same without a column.
  func removing(_ column: String) -> String? {
    guard let item = item(column), let place = items.firstIndex(of: item), items.count > 1 else {
      return nil
    }
    let next = place + 1
    let places =
      next < items.count
      ? item.lowerBound..<items[next].lowerBound : items[place - 1].upperBound..<item.upperBound
    return sql.replacing([(places, "")])
  }

  /// The same with more columns after the last one.
  func adding(_ definitions: [String]) -> String? {
    guard let last = items.last(where: { !isConstraint($0) }) else { return nil }
    let all = ([sql.text(of: last)] + definitions).joined(separator: ", ")
    return sql.replacing([(last, all)])
  }
}

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
