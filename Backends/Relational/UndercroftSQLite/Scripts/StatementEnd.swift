import UndercroftCore

/// The search for the end of a statement that SQLite cannot compile.
///
/// SQLite reports the end of a statement only if it can compile the statement. This search follows
/// the rules of `sqlite3_complete`, in time that is linear in the size of the statement.
enum StatementEnd {
  /// The kind of the token that was read last.
  ///
  /// A `CREATE TRIGGER` statement ends with the three tokens `; END ;`.
  private enum Last { case semicolon, end, other }

  /// Returns the position after the semicolon that ends the statement at `start`,
  /// or the position of the final NUL of `text` if no semicolon ends the statement.
  static func position(in text: [UInt8], from start: Int) -> Int {
    let limit = text.count - 1
    var (position, last) = (start, Last.other)
    var words: [ExactString] = []
    while position < limit {
      let byte = text[position]
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0c:
        position += 1
      case 0xef where text[position..<limit].starts(with: [0xef, 0xbb, 0xbf]):
        // SQLite treats a byte order mark as white space.
        position += 3
      case UInt8(ascii: "-") where text[position + 1] == UInt8(ascii: "-"):
        position = after(UInt8(ascii: "\n"), in: text, from: position + 2)
      case UInt8(ascii: "/") where text[position + 1] == UInt8(ascii: "*"):
        position = afterComment(in: text, from: position + 2)
      case UInt8(ascii: ";"):
        position += 1
        if last == .end || !isTrigger(words) { return position }
        last = .semicolon
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        position = after(byte, in: text, from: position + 1)
        last = .other
      case UInt8(ascii: "["):
        position = after(UInt8(ascii: "]"), in: text, from: position + 1)
        last = .other
      case _ where isPartOfWord(byte):
        let end = text[position..<limit].firstIndex { !isPartOfWord($0) } ?? limit
        // No keyword that matters here is longer than 9 bytes.
        let word = String(decoding: text[position..<min(end, position + 10)], as: UTF8.self)
          .lowercased().exact
        last = last == .semicolon && word == "end" ? .end : .other
        if words.count < 6 { words.append(word) }
        position = end
      default:
        position += 1
        last = .other
      }
    }
    return limit
  }

  /// Returns whether a statement creates a trigger.
  ///
  /// - Parameter words: the first six words of the statement, which are enough for
  ///   `EXPLAIN QUERY PLAN CREATE TEMP TRIGGER`.
  private static func isTrigger(_ words: [ExactString]) -> Bool {
    var words = words[...]
    for word in ["explain", "query", "plan"] as [ExactString] where words.first == word {
      words.removeFirst()
    }
    guard words.popFirst() == "create" else { return false }
    if words.first == "temp" || words.first == "temporary" { words.removeFirst() }
    return words.first == "trigger"
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: byte > 127
    }
  }

  /// Returns the position after the next `byte`, or the position
  /// of the final NUL of `text` if `byte` does not occur.
  private static func after(_ byte: UInt8, in text: [UInt8], from start: Int) -> Int {
    let limit = text.count - 1
    return text[min(start, limit)..<limit].firstIndex(of: byte).map { $0 + 1 } ?? limit
  }

  private static func afterComment(in text: [UInt8], from start: Int) -> Int {
    let limit = text.count - 1
    var position = min(start, limit)
    while position < limit {
      if text[position] == UInt8(ascii: "*"), text[position + 1] == UInt8(ascii: "/") {
        return position + 2
      }
      position += 1
    }
    return limit
  }
}
