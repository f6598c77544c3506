/// SQL text with its tokens, for reading and replacing parts of the text.
///
/// All indices and ranges of this type are positions in ``tokens``.
/// An edit leaves all other text unchanged, including comments.
package struct TokenizedSQL {
  package typealias Token = SQLTokenizer.Token

  package let text: String
  private let scalars: [Unicode.Scalar]
  package let tokens: [Token]

  package init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
    tokens = SQLTokenizer.split(text)
  }

  /// Returns the text from the first to the last token of `range`.
  package func text(of range: Range<Int>) -> String {
    guard let first = tokens[range].first, let last = tokens[range].last else { return "" }
    return string(first.range.lowerBound..<last.range.upperBound)
  }

  /// Returns the text of the tokens in `range`, or of all tokens if `range` is `nil`.
  ///
  /// The text contains no comments, and a single space
  /// where white space or comments separate two tokens.
  package func plainText(of range: Range<Int>? = nil) -> String {
    var text = ""
    var end: Int?
    for token in tokens[range ?? tokens.indices] {
      if let end, end < token.range.lowerBound { text += " " }
      text += string(token.range)
      end = token.range.upperBound
    }
    return text
  }

  /// Returns the name at `index` in its original spelling, without the quotes around the name.
  ///
  /// A doubled quote inside the name becomes one quote.
  package func spelling(at index: Int) -> String {
    let text = text(of: index..<index + 1)
    // Scalars are compared instead of characters,
    // because a quote may be part of a character with a combining accent.
    let scalars = Array(text.unicodeScalars)
    guard let first = scalars.first, let last = scalars.last, scalars.count > 1,
      first == "[" || ["\"", "'", "`"].contains(first)
    else { return text }
    var name = ""
    var isSecond = false
    for scalar in scalars.dropFirst().dropLast() {
      isSecond = first != "[" && scalar == last && !isSecond
      if !isSecond { name.unicodeScalars.append(scalar) }
    }
    return name
  }

  /// The text to append to this SQL to end the statement, even if the SQL ends inside a comment.
  ///
  /// The value is `nil` if the SQL ends inside a string literal or a quoted name.
  package var ending: String? {
    [";", "\n;", "*/;"].first { SQLTokenizer.split(text + $0).count > tokens.count }
  }

  /// Returns the whole text, with the tokens in the range
  /// of each edit replaced by the text of the edit.
  ///
  /// An edit of an empty range, or of a range that overlaps an earlier range, is ignored.
  package func replacing(_ edits: [(range: Range<Int>, text: String)]) -> String {
    var result = ""
    var end = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard let first = tokens[edit.range].first, let last = tokens[edit.range].last,
        first.range.lowerBound >= end
      else { continue }
      result += string(end..<first.range.lowerBound) + edit.text
      end = last.range.upperBound
    }
    return result + string(end..<scalars.count)
  }

  private func string(_ range: Range<Int>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars[range])
    return text
  }

  // MARK: Groups

  /// Returns the index of the first opening parenthesis at or after `index`, or `nil` if there is
  /// no such parenthesis.
  package func opening(from index: Int = 0) -> Int? {
    tokens[min(index, tokens.count)...].firstIndex { $0.isPunctuation("(") }
  }

  /// Returns the index of the parenthesis that closes the parenthesis at `index`, or `nil` if the
  /// parenthesis is not closed.
  package func closing(of index: Int) -> Int? {
    var depth = 0
    for (index, token) in tokens.enumerated().dropFirst(index) {
      if token.isPunctuation("(") { depth += 1 }
      if token.isPunctuation(")") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  /// Splits `range` at its commas, and returns the parts that are not empty.
  ///
  /// Commas inside parentheses do not separate parts.
  package func items(in range: Range<Int>) -> [Range<Int>] {
    var (depth, start) = (0, range.lowerBound)
    var items: [Range<Int>] = []
    for index in range {
      if tokens[index].isPunctuation("(") { depth += 1 }
      if tokens[index].isPunctuation(")") { depth -= 1 }
      guard tokens[index].isPunctuation(","), depth == 0 else { continue }
      items.append(start..<index)
      start = index + 1
    }
    items.append(start..<range.upperBound)
    return items.filter { !$0.isEmpty }
  }

  /// Returns whether at least one token in `range` is the keyword or name `name`.
  ///
  /// If `range` is `nil`, all tokens are compared.
  package func mentions(_ name: String, in range: Range<Int>? = nil) -> Bool {
    tokens[range ?? tokens.indices].contains { $0.isName(name) }
  }
}
