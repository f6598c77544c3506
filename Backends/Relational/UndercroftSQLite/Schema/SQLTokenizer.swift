package import UndercroftCore

/// A tokenizer that splits SQL into tokens, and drops white space and comments, so that equivalent
/// spellings compare equal.
package enum SQLTokenizer {
  package struct Token: Hashable, Sendable {
    package enum Kind: Sendable {
      /// A keyword, a number, or a name without quotes.
      case word
      /// A name in quotes or brackets.
      case name
      case text
      case punctuation
    }

    package let kind: Kind
    /// The content of the token.
    ///
    /// A word or name is in lower case, a name or string literal is without its quotes,
    /// and punctuation is unchanged.
    package let text: String
    /// The range of the token in the SQL, including its quotes, counted in Unicode scalars.
    ///
    /// A comparison of tokens ignores the range.
    package internal(set) var range: Range<Int> = 0..<0

    init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }

    package var isPunctuation: Bool { kind == .punctuation }
    package func isWord(_ word: String) -> Bool { kind == .word && text == word }
    package func isPunctuation(_ punctuation: String) -> Bool {
      kind == .punctuation && text == punctuation
    }

    /// The content of the token, interpreted as the name of a table or column.
    ///
    /// SQLite also accepts a string literal where it expects a name.
    package var name: ExactString { kind == .text ? text.folded : text.exact }

    /// Returns whether the token can be `name` as the name of a table or column.
    package func isName(_ name: String) -> Bool { kind != .punctuation && self.name == name.folded }

    // A name is equal with and without quotes.
    private var meaning: Kind { kind == .name ? .word : kind }

    package static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.text.isExactly(rhs.text) && lhs.meaning == rhs.meaning
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(text.exact)
      hasher.combine(meaning)
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
      case _ where isSpace(first):
        // Like SQLite, treats a vertical tab as space only after other space.
        rest = rest.drop { isSpace($0) || $0 == "\u{0B}" }
      case "\u{FEFF}": rest.removeFirst()
      case "-" where rest.dropFirst().first == "-":
        rest = rest.drop { $0 != "\n" }
      case "/" where rest.dropFirst().first == "*":
        rest = afterComment(rest.dropFirst(2))
      case "'": tokens.append(Token(.text, takeQuoted(&rest, until: "'")))
      case "\"", "`": tokens.append(Token(.name, takeQuoted(&rest, until: first).folded.text))
      case "[":
        rest.removeFirst()
        let name = rest.prefix { $0 != "]" }
        rest = rest.dropFirst(name.count + 1)
        tokens.append(Token(.name, string(name).folded.text))
      case _ where isPartOfWord(first):
        let word = rest.prefix(while: isPartOfWord)
        rest = rest.dropFirst(word.count)
        tokens.append(Token(.word, string(word).folded.text))
      default:
        rest.removeFirst()
        tokens.append(Token(.punctuation, string([first])))
      }
    }
    return tokens
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "\t", "\n", "\r", "\u{0C}": true
    default: false
    }
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

  /// Removes a literal or name in quotes from the beginning of `rest`, and returns its content.
  ///
  /// A doubled quote inside becomes one quote.
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
