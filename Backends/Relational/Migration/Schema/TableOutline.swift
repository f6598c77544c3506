package import UndercroftSQLite

/// What a `CREATE TABLE` says of its columns, its constraints and its options.
package struct TableOutline {
  /// One item of the list: a column, or a constraint of several.
  package struct Item {
    /// The name as it was spelled, without quotes; empty for a constraint.
    package let name: String
    /// As it was written, without comments.
    package let text: String
    package let tokens: [SQLTokens.Token]
  }

  package private(set) var columns: [Item] = []
  package private(set) var constraints: [Item] = []
  /// What follows the list, such as `STRICT`.
  package private(set) var options: [SQLTokens.Token] = []

  /// - Returns: `nil` for what has no list of columns, such as a virtual table.
  package init?(_ sql: String) {
    let pieces = SQLPiece.split(sql)
    guard pieces.first(where: { $0.word != nil })?.word == "create",
      !pieces.prefix(while: { !$0.isMark("(") }).contains(where: { $0.word == "virtual" }),
      let begin = pieces.firstIndex(where: { $0.isMark("(") })
    else { return nil }
    var depth = 0
    var item: [SQLPiece] = []
    for (place, piece) in pieces[begin...].enumerated() {
      if piece.isMark(")") { depth -= 1 }
      if depth == 0, piece.isMark(")") {
        add(item)
        options = SQLTokens.split(Array(pieces[(begin + place + 1)...]).trimmed)
        return
      }
      if depth == 1, piece.isMark(",") {
        add(item)
        item = []
      } else if depth > 0 {
        item.append(piece)
      }
      if piece.isMark("(") { depth += 1 }
    }
    return nil
  }

  /// Words that begin a constraint where the name of a column would stand.
  private static let constraintWords: Set = ["constraint", "primary", "unique", "check", "foreign"]

  private mutating func add(_ pieces: [SQLPiece]) {
    guard let first = pieces.first(where: { !$0.isBlank }) else { return }
    let text = pieces.trimmed
    let tokens = SQLTokens.split(text)
    if let word = first.word, Self.constraintWords.contains(word) {
      constraints.append(Item(name: "", text: text, tokens: tokens))
    } else {
      columns.append(Item(name: Self.name(first), text: text, tokens: tokens))
    }
  }

  private static func name(_ piece: SQLPiece) -> String {
    let text = String(Substring(piece.text))
    guard let quote = text.unicodeScalars.first, piece.kind == .name || piece.kind == .text else {
      return text
    }
    let inner = String(text.unicodeScalars.dropFirst().dropLast(piece.isOpen ? 0 : 1))
    return quote == "[" ? inner : inner.replacing("\(quote)\(quote)", with: "\(quote)")
  }
}
