import UndercroftCore
import UndercroftSQLite

/// SQL text that is changed at single places, all else staying as it was written.
struct SQLText {
  typealias Token = SQLTokens.Token

  private let scalars: [Unicode.Scalar]
  let tokens: [Token]

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    tokens = SQLTokens.split(text)
  }

  /// The text from the beginning of one token to the end of another.
  func text(of places: Range<Int>) -> String {
    guard let first = tokens[places].first, let last = tokens[places].last else { return "" }
    return string(first.range.lowerBound..<last.range.upperBound)
  }

  /// All of it, tokens that are named by their places being replaced.
  func replacing(_ edits: [(places: Range<Int>, text: String)]) -> String {
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
  func opening(from place: Int = 0) -> Int? {
    tokens[min(place, tokens.count)...].firstIndex { $0.isMark("(") }
  }

  /// The place of the bracket that closes the one at a place.
  func closing(of place: Int) -> Int? {
    var depth = 0
    for (place, token) in tokens.enumerated().dropFirst(place) {
      if token.isMark("(") { depth += 1 }
      if token.isMark(")") { depth -= 1 }
      if depth == 0 { return place }
    }
    return nil
  }

  /// What stands between commas, brackets left whole; nothing of it is empty.
  func items(in places: Range<Int>) -> [Range<Int>] {
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
  func mentions(_ name: String, in places: Range<Int>? = nil) -> Bool {
    tokens[places ?? tokens.indices].contains { !$0.isMark && $0.name == name.folded }
  }
}

extension SQLTokens.Token {
  /// What it says where a name is expected, for which SQLite takes a text as well.
  var name: String {
    text.unicodeScalars.first == "'" ? String(text.unicodeScalars.dropFirst()).folded : text
  }
}

extension String {
  /// As a name in SQL.
  var asName: String { ("\(identifier: self)" as SQL).text }

  /// As a text in SQL.
  var asText: String {
    var text = "'"
    for scalar in unicodeScalars {
      if scalar == "'" { text += "'" }
      text.unicodeScalars.append(scalar)
    }
    return text + "'"
  }
}
