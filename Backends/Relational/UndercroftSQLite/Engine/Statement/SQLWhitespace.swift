/// The characters that SQLite skips before and after a statement: white space, semicolons and
/// comments.
///
/// Skipping these characters shows whether the text after a statement contains another statement.
/// The text is not compiled for this purpose, because SQLite executes a part of some statements
/// when it compiles them.
enum SQLWhitespace {
  /// Returns whether SQLite skips all of `text`.
  static func isAll(_ text: UnsafeBufferPointer<CChar>) -> Bool {
    end(in: text) == text.count
  }

  /// Returns whether `sql` is an `EXPLAIN` or `EXPLAIN QUERY PLAN` statement.
  static func isExplanation(_ sql: String) -> Bool {
    var sql = sql
    return sql.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { text in
        let begin = end(in: text)
        let word = text[begin...].prefix { isLetter($0) }
        // One bit distinguishes the upper case of an ASCII letter from its lower case.
        return word.elementsEqual("explain".utf8) { UInt8(bitPattern: $0) | 0x20 == $1 }
      }
    }
  }

  private static func isLetter(_ character: CChar) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(UInt8(bitPattern: character) | 0x20)
  }

  /// Returns the offset of the first character of `text` that SQLite does not skip.
  private static func end(in text: UnsafeBufferPointer<CChar>) -> Int {
    var position = 0
    func byte(_ offset: Int) -> UInt8? {
      position + offset < text.count ? UInt8(bitPattern: text[position + offset]) : nil
    }
    while let first = byte(0) {
      switch (first, byte(1)) {
      case (UInt8(ascii: " "), _), (9...10, _), (12...13, _), (UInt8(ascii: ";"), _):
        position += 1
      // The UTF-8 byte order mark.
      case (0xef, 0xbb) where byte(2) == 0xbf: position += 3
      case (UInt8(ascii: "-"), UInt8(ascii: "-")):
        while let next = byte(0), next != UInt8(ascii: "\n") { position += 1 }
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        position += 2
        while position < text.count, byte(0) != UInt8(ascii: "*") || byte(1) != UInt8(ascii: "/") {
          position += 1
        }
        position = min(position + 2, text.count)
      default: return position
      }
    }
    return position
  }
}
