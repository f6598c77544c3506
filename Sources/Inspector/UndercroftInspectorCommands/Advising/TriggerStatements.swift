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

/// The words, quoted names, literals and signs of an SQL statement, without its comments.
struct SQLWords {
  struct Token {
    let text: String

    static func word(_ text: String) -> Token { Token(text: text) }

    /// Returns whether the token is a keyword in any case.
    func isWord(_ word: String) -> Bool { text.lowercased() == word }
  }

  private(set) var tokens: [Token] = []

  init(_ sql: String) {
    let bytes = Array(sql.utf8)
    var offset = 0
    while offset < bytes.count {
      let end = Self.end(of: offset, bytes)
      if !Self.isBlank(bytes[offset]), !Self.isComment(offset, bytes) {
        tokens.append(Token(text: String(decoding: bytes[offset..<end], as: UTF8.self)))
      }
      offset = end
    }
  }

  /// Returns the end of the token, comment or blank that begins at an offset.
  private static func end(of start: Int, _ bytes: [UInt8]) -> Int {
    let byte = bytes[start]
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
      return closing(byte, after: start, bytes)
    case UInt8(ascii: "["): return closing(UInt8(ascii: "]"), after: start, bytes)
    case _ where isComment(start, bytes):
      return byte == UInt8(ascii: "-")
        ? closing(0x0a, after: start, bytes) : commentEnd(after: start, bytes)
    case _ where isWordPart(byte):
      return bytes[start...].firstIndex { !isWordPart($0) } ?? bytes.count
    default: return start + 1
    }
  }

  private static func closing(_ mark: UInt8, after start: Int, _ bytes: [UInt8]) -> Int {
    bytes[(start + 1)...].firstIndex(of: mark).map { $0 + 1 } ?? bytes.count
  }

  private static func commentEnd(after start: Int, _ bytes: [UInt8]) -> Int {
    var index = start + 2
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
        return index + 2
      }
      index += 1
    }
    return bytes.count
  }

  private static func isComment(_ start: Int, _ bytes: [UInt8]) -> Bool {
    guard start + 1 < bytes.count else { return false }
    let pair = [bytes[start], bytes[start + 1]]
    return pair == Array("--".utf8) || pair == Array("/*".utf8)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
      || (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte & 0xdf)
  }
}
