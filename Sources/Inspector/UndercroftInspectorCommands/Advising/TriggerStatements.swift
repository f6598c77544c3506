import UndercroftCore

/// The statements of a trigger as queries, so that their plans can be examined without running the
/// trigger.
enum TriggerStatements {
  /// Returns queries that read the same rows as the statements of a trigger.
  ///
  /// `UPDATE` and `DELETE` become a `SELECT` with the same condition, and an `INSERT` becomes its
  /// `SELECT`. Columns of `NEW` and `OLD` become numbers.
  ///
  /// - Parameter definition: the statement that creates the trigger.
  static func conditions(of definition: String) -> [String] {
    let tokens = SQLWords(definition).tokens
    guard let begin = tokens.firstIndex(where: { $0.isWord("begin") }) else { return [] }
    return tokens[(begin + 1)...].split { $0.text == ";" }.compactMap { query(Array($0)) }
  }

  private static func query(_ statement: [SQLWords.Token]) -> String? {
    guard let first = statement.first, let second = statement.dropFirst().first else { return nil }
    let tokens: [SQLWords.Token]
    if first.isWord("select") {
      tokens = statement
    } else if first.isWord("delete") {
      tokens = [.word("select"), .word("1")] + statement.dropFirst()
    } else if first.isWord("update") {
      let start = second.isWord("or") ? 3 : 1
      guard statement.count > start, let condition = position(of: "where", in: statement) else {
        return nil
      }
      tokens =
        [.word("select"), .word("1"), .word("from"), statement[start]] + statement[condition...]
    } else if first.isWord("insert") || first.isWord("replace"),
      let start = position(of: "select", in: statement)
    {
      tokens = Array(statement[start...])
    } else {
      return nil
    }
    return text(of: tokens)
  }

  /// Returns the position of a word that is not between parentheses.
  private static func position(of word: String, in tokens: [SQLWords.Token]) -> Int? {
    var depth = 0
    for (index, token) in tokens.enumerated() {
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
      if depth == 0, token.isWord(word) { return index }
    }
    return nil
  }

  private static func text(of tokens: [SQLWords.Token]) -> String {
    var words: [String] = []
    var index = 0
    while index < tokens.count {
      let isRow = tokens[index].isWord("new") || tokens[index].isWord("old")
      if isRow, index + 2 < tokens.count, tokens[index + 1].text == "." {
        words.append("1")
        index += 3
      } else {
        words.append(tokens[index].text)
        index += 1
      }
    }
    return words.joined(separator: " ")
  }
}
