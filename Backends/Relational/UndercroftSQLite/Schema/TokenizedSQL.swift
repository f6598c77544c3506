/// A piece of SQL that is edited token by token.
///
/// A place is the index of a token.
///
/// All other text, including comments, stays as it was written.
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

  /// Returns the text from the first to the last token of `places`.
  package func text(of places: Range<Int>) -> String {
    guard let first = tokens[places].first, let last = tokens[places].last else { return "" }
    return string(first.range.lowerBound..<last.range.upperBound)
  }

  /// Returns the text without comments,
  /// and with a single space where space or comments separate two tokens.
  package func plainText(of places: Range<Int>? = nil) -> String {
    var text = ""
    var end: Int?
    for token in tokens[places ?? tokens.indices] {
      if let end, end < token.range.lowerBound { text += " " }
      text += string(token.range)
      end = token.range.upperBound
    }
    return text
  }

  /// Returns the name at `place` as it is spelled, without its quotes.
  ///
  /// A doubled quote inside becomes a single one.
  package func spelling(at place: Int) -> String {
    let text = text(of: place..<place + 1)
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

  /// The text that ends a statement after this SQL, also if the SQL ends inside a comment.
  ///
  /// The value is `nil` if a quotation is not closed.
  package var ending: String? {
    [";", "\n;", "*/;"].first { SQLTokenizer.split(text + $0).count > tokens.count }
  }

  /// Returns the whole text with the tokens of some ranges replaced.
  package func replacing(_ edits: [(places: Range<Int>, text: String)]) -> String {
    var result = ""
    var end = 0
    for edit in edits.sorted(by: { $0.places.lowerBound < $1.places.lowerBound }) {
      guard let first = tokens[edit.places].first, let last = tokens[edit.places].last,
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

  /// Returns the place of the first opening parenthesis from `place` on.
  package func opening(from place: Int = 0) -> Int? {
    tokens[min(place, tokens.count)...].firstIndex { $0.isMark("(") }
  }

  /// Returns the place of the parenthesis that closes the one at `place`.
  package func closing(of place: Int) -> Int? {
    var depth = 0
    for (place, token) in tokens.enumerated().dropFirst(place) {
      if token.isMark("(") { depth += 1 }
      if token.isMark(")") { depth -= 1 }
      if depth == 0 { return place }
    }
    return nil
  }

  /// Returns the non-empty ranges between commas.
  ///
  /// Commas inside parentheses do not count.
  package func items(in places: Range<Int>) -> [Range<Int>] {
    var (depth, start) = (0, places.lowerBound)
    var items: [Range<Int>] = []
    for place in places {
      if tokens[place].isMark("(") { depth += 1 }
      if tokens[place].isMark(")") { depth -= 1 }
      guard tokens[place].isMark(","), depth == 0 else { continue }
      items.append(start..<place)
      start = place + 1
    }
    items.append(start..<places.upperBound)
    return items.filter { !$0.isEmpty }
  }

  /// Returns whether a token of the range is this keyword or name.
  package func mentions(_ name: String, in places: Range<Int>? = nil) -> Bool {
    tokens[places ?? tokens.indices].contains { $0.isName(name) }
  }
}
