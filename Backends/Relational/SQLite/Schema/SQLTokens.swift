package import UndercroftCore

/// The words, names, texts and marks of SQL, without the space and the comments between: two texts that say the same have the same.
package enum SQLTokens {
  package struct Token: Hashable, Sendable {
    package enum Kind: Sendable {
      /// Not in quotes, and perhaps a word of the language; a number is one as well.
      case word
      /// In quotes, or brackets, of a name.
      case name
      case text
      case mark
    }

    package let kind: Kind
    /// A name without its quotes, and any word, with small letters; a text without its quotes; a mark as it stands.
    package let text: String
    /// Where it stands, quotes included, counted in Unicode scalars; no part of what it says.
    package internal(set) var range: Range<Int> = 0..<0

    init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }

    package var isMark: Bool { kind == .mark }
    package func isWord(_ word: String) -> Bool { kind == .word && text == word }
    package func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }

    /// What it says where a name is expected, for which SQLite takes a text as well.
    package var name: ExactString { kind == .text ? text.folded : text.exact }

    /// Whether it can be the name of a table or a column.
    package func isName(_ name: String) -> Bool { kind != .mark && self.name == name.folded }

    // A name is the same in quotes and without.
    private var meaning: Kind { kind == .name ? .word : kind }

    package static func == (one: Self, other: Self) -> Bool {
      one.text.isExactly(other.text) && one.meaning == other.meaning
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
        // A vertical tab is space after other space, and no character of SQL by itself, as for SQLite.
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
        tokens.append(Token(.mark, string([first])))
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
