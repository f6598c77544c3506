/// A line that is split into words by the quoting rules of POSIX shells.
///
/// A backslash makes the next character literal. Single quotes make all characters literal. In
/// double quotes, a backslash applies only to `"`, `\`, `$` and a grave accent. Nothing is
/// expanded.
struct ShellWords {
  /// One word of a line.
  struct Word {
    /// The word without quotes.
    var text = String.UnicodeScalarView()
    /// The position of the first scalar of the word in the line.
    let start: Int
  }

  /// The words in their order.
  private(set) var words: [Word] = []
  /// Whether a quotation mark or the character after a backslash is missing at the end.
  var isOpen: Bool { openQuote != nil || endsInEscape }
  /// The quotation mark that is not closed at the end, or `nil` if there is none.
  private(set) var openQuote: Unicode.Scalar?
  /// Whether the character after a backslash is missing at the end.
  private(set) var endsInEscape = false
  /// Whether the line ends outside of a word.
  private(set) var endsBetweenWords = true

  /// The words without quotes.
  var texts: [String] { words.map { String($0.text) } }

  /// Splits a line into words.
  init(_ line: some Sequence<Unicode.Scalar>) {
    var quote: Unicode.Scalar?
    var isEscaped = false
    for (position, scalar) in line.enumerated() {
      if isEscaped {
        if quote == "\"", !Self.isEscapedInQuotes(scalar) { append("\\", position) }
        append(scalar, position)
        isEscaped = false
      } else if scalar == "\\", quote != "'" {
        begin(position)
        isEscaped = true
      } else if let open = quote {
        if scalar == open { quote = nil } else { append(scalar, position) }
      } else if scalar == "'" || scalar == "\"" {
        begin(position)
        quote = scalar
      } else if scalar == " " || scalar == "\t" {
        endsBetweenWords = true
      } else {
        append(scalar, position)
      }
    }
    openQuote = quote
    endsInEscape = isEscaped
  }

  /// Returns whether a backslash in double quotes makes a scalar literal.
  static func isEscapedInQuotes(_ scalar: Unicode.Scalar) -> Bool {
    ["\"", "\\", "$", "`"].contains(scalar)
  }

  private mutating func begin(_ position: Int) {
    guard endsBetweenWords else { return }
    words.append(Word(start: position))
    endsBetweenWords = false
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ position: Int) {
    begin(position)
    words[words.count - 1].text.append(scalar)
  }

  /// Returns a word without its quotes, which may be incomplete.
  static func unquoted(_ word: String) -> String {
    let parts = ShellWords(word.unicodeScalars)
    return parts.texts.joined(separator: " ")
  }
}
