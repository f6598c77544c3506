import UndercroftSQLite

/// A stretch of SQL as it stands in the text, which ``SQLTokens`` would not give back.
struct SQLPiece {
  enum Kind {
    case space, word, name, text, mark
    /// A comment; an open one goes on until the end of the line, or of everything.
    case lineComment, comment
  }

  let kind: Kind
  let text: Substring.UnicodeScalarView
  /// Whether a quote or a comment was begun and not ended.
  var isOpen = false

  func isMark(_ mark: Unicode.Scalar) -> Bool { kind == .mark && text.first == mark }

  /// The word in small letters, or `nil` for what is none.
  var word: String? { kind == .word ? String(Substring(text)).folded : nil }

  var isBlank: Bool {
    switch kind {
    case .space, .lineComment, .comment: true
    case .word, .name, .text, .mark: false
    }
  }

  static func split(_ sql: String) -> [SQLPiece] {
    var rest = Substring(sql).unicodeScalars
    var pieces: [SQLPiece] = []
    while let first = rest.first {
      let (kind, end, isOpen) = next(first, in: rest)
      pieces.append(SQLPiece(kind: kind, text: rest[..<end], isOpen: isOpen))
      rest = rest[end...]
    }
    return pieces
  }

  private typealias Scalars = Substring.UnicodeScalarView
  private typealias Found = (kind: Kind, end: Scalars.Index, isOpen: Bool)

  private static func next(_ first: Unicode.Scalar, in rest: Scalars) -> Found {
    let second = rest.dropFirst().first
    switch first {
    case _ where isSpace(first): return (.space, rest.drop(while: isSpace).startIndex, false)
    case "-" where second == "-":
      let end = rest.firstIndex(of: "\n")
      return (.lineComment, end ?? rest.endIndex, end == nil)
    case "/" where second == "*": return comment(rest)
    case "'": return quoted(rest, until: "'", .text)
    case "\"", "`": return quoted(rest, until: first, .name)
    case "[":
      guard let end = rest.firstIndex(of: "]") else { return (.name, rest.endIndex, true) }
      return (.name, rest.index(after: end), false)
    case _ where isPartOfWord(first):
      return (.word, rest.drop(while: isPartOfWord).startIndex, false)
    default: return (.mark, rest.index(after: rest.startIndex), false)
    }
  }

  private static func comment(_ rest: Scalars) -> Found {
    var rest = rest.dropFirst(2)
    while let star = rest.firstIndex(of: "*") {
      rest = rest[rest.index(after: star)...]
      if rest.first == "/" { return (.comment, rest.dropFirst().startIndex, false) }
    }
    return (.comment, rest.endIndex, true)
  }

  /// Finds the end of what stands in quotes, of which two stand for one.
  private static func quoted(_ rest: Scalars, until quote: Unicode.Scalar, _ kind: Kind) -> Found {
    var rest = rest.dropFirst()
    while let end = rest.firstIndex(of: quote) {
      rest = rest[end...].dropFirst()
      if rest.first != quote { return (kind, rest.startIndex, false) }
      rest = rest.dropFirst()
    }
    return (kind, rest.endIndex, true)
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
}

extension [SQLPiece] {
  /// The text without comments, and one space where there were several.
  var trimmed: String {
    var text = ""
    var needsSpace = false
    for piece in self {
      if piece.isBlank {
        needsSpace = !text.isEmpty
        continue
      }
      if needsSpace { text += " " }
      text += String(Substring(piece.text))
      needsSpace = false
    }
    return text
  }
}
