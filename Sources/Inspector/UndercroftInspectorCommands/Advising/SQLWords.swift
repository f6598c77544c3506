/// The tokens of an SQL statement: words, quoted names, literals and signs, without the comments.
struct SQLWords {
  /// A word, a quoted name, a literal or a sign, as the statement spells it.
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
      return quotedEnd(byte, after: start, bytes)
    case UInt8(ascii: "["): return closing(UInt8(ascii: "]"), after: start, bytes)
    case _ where isComment(start, bytes):
      return byte == UInt8(ascii: "-")
        ? closing(0x0a, after: start, bytes) : commentEnd(after: start, bytes)
    case _ where isWordPart(byte):
      return bytes[start...].firstIndex { !isWordPart($0) } ?? bytes.count
    default: return start + 1
    }
  }

  /// Returns the end of a quoted name or literal, in which a doubled quotation mark stands for one.
  private static func quotedEnd(_ mark: UInt8, after start: Int, _ bytes: [UInt8]) -> Int {
    var index = start + 1
    while index < bytes.count {
      guard bytes[index] == mark else {
        index += 1
        continue
      }
      guard index + 1 < bytes.count, bytes[index + 1] == mark else { return index + 1 }
      index += 2
    }
    return bytes.count
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
