/// The words, names, texts and marks of SQL, without the space and the comments between: two texts that say the same have the same.
package enum SQLTokens {
  package struct Token: Hashable, Sendable {
    /// A name without its quotes, and any word, with small letters; a text or a mark as it stands.
    package var text: String
    /// Whether it is a word that was not in quotes, and may be a word of the language.
    package var isWord = false
    package var isMark = false
    /// Where it stands, quotes included, counted in Unicode scalars; no part of what it says.
    package var range: Range<Int> = 0..<0

    package func isWord(_ word: String) -> Bool { isWord && text == word }
    package func isMark(_ mark: String) -> Bool { isMark && text == mark }

    // A name is the same in quotes and without.
    package static func == (one: Self, other: Self) -> Bool {
      one.text == other.text && one.isMark == other.isMark
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(text)
      hasher.combine(isMark)
    }
  }

  package static func split(_ sql: String) -> [Token] {
    var rest = Array(sql.unicodeScalars)[...]
    var tokens: [Token] = []
    while let first = rest.first {
      let (start, count) = (rest.startIndex, tokens.count)
      defer {
        if tokens.count > count { tokens[count].range = start..<rest.startIndex }
      }
      switch first {
      case " ", "\t", "\n", "\r", "\u{0C}": rest.removeFirst()
      case "-" where rest.dropFirst().first == "-":
        rest = rest.drop { $0 != "\n" }
      case "/" where rest.dropFirst().first == "*":
        rest = afterComment(rest.dropFirst(2))
      case "'": tokens.append(Token(text: "'" + takeQuoted(&rest, until: "'")))
      case "\"", "`": tokens.append(Token(text: takeQuoted(&rest, until: first).folded))
      case "[":
        rest.removeFirst()
        let name = rest.prefix { $0 != "]" }
        rest = rest.dropFirst(name.count + 1)
        tokens.append(Token(text: string(name).folded))
      case _ where isPartOfWord(first):
        let word = rest.prefix(while: isPartOfWord)
        rest = rest.dropFirst(word.count)
        tokens.append(Token(text: string(word).folded, isWord: true))
      default:
        rest.removeFirst()
        tokens.append(Token(text: string([first]), isMark: true))
      }
    }
    return tokens
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
    default: scalar.value > 127
    }
  }

  private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }

  private static func afterComment(
    _ rest: ArraySlice<Unicode.Scalar>
  ) -> ArraySlice<Unicode.Scalar> {
    var rest = rest
    while let first = rest.popFirst() {
      if first == "*", rest.first == "/" { return rest.dropFirst() }
    }
    return rest
  }

  /// Takes what stands in quotes, of which two stand for one.
  private static func takeQuoted(
    _ rest: inout ArraySlice<Unicode.Scalar>, until quote: Unicode.Scalar
  ) -> String {
    rest.removeFirst()
    var text: [Unicode.Scalar] = []
    while let next = rest.popFirst() {
      if next == quote {
        guard rest.first == quote else { break }
        rest.removeFirst()
      }
      text.append(next)
    }
    return string(text)
  }
}
