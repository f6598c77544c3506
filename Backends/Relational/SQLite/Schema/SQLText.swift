/// SQL text that is changed at single places, all else staying as it was written.
package struct SQLText {
  package typealias Token = SQLTokens.Token

  package let text: String
  private let scalars: [Unicode.Scalar]
  package let tokens: [Token]

  package init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
    tokens = SQLTokens.split(text)
  }

  /// The text from the beginning of one token to the end of another.
  package func text(of places: Range<Int>) -> String {
    guard let first = tokens[places].first, let last = tokens[places].last else { return "" }
    return string(first.range.lowerBound..<last.range.upperBound)
  }

  /// The same without comments, and with one space where there were several.
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

  /// A name as it is spelled, without its quotes, of which two stand for one.
  package func spelling(at place: Int) -> String {
    let text = text(of: place..<place + 1)
    // Not by characters, as a quote may be the beginning of one that has an accent.
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

  /// What ends it as a statement, whatever comment it is left in; `nil` where a quote was begun and not ended.
  package var ending: String? {
    [";", "\n;", "*/;"].first { SQLTokens.split(text + $0).count > tokens.count }
  }

  /// All of it, tokens that are named by their places being replaced.
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

  /// The place of the first bracket that opens, from a place on.
  package func opening(from place: Int = 0) -> Int? {
    tokens[min(place, tokens.count)...].firstIndex { $0.isMark("(") }
  }

  /// The place of the bracket that closes the one at a place.
  package func closing(of place: Int) -> Int? {
    var depth = 0
    for (place, token) in tokens.enumerated().dropFirst(place) {
      if token.isMark("(") { depth += 1 }
      if token.isMark(")") { depth -= 1 }
      if depth == 0 { return place }
    }
    return nil
  }

  /// What stands between commas, brackets left whole; nothing of it is empty.
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

  /// Whether a word of the language, or a name, occurs.
  package func mentions(_ name: String, in places: Range<Int>? = nil) -> Bool {
    tokens[places ?? tokens.indices].contains { $0.isName(name) }
  }
}
