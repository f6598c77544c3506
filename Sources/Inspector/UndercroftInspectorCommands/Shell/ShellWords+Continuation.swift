import UndercroftInspection

extension ShellWords {
  /// Returns the text that appends `rest` to the last word, in the quotes in which the line ends.
  ///
  /// - Parameters:
  ///   - rest: the text to append, without quotes.
  ///   - closesQuote: whether an open quotation mark is closed at the end.
  /// - Returns: the text, or `nil` if the backslash at the end of the line excludes `rest`.
  func continuation(by rest: String, closesQuote: Bool) -> String? {
    var (added, text) = (rest, "")
    if endsInEscape {
      guard let first = added.unicodeScalars.first,
        openQuote == nil || Self.isEscapedInQuotes(first)
      else { return nil }
      text.unicodeScalars.append(first)
      added = String(added.unicodeScalars.dropFirst())
    }
    switch openQuote {
    case "'"?: text += added.replacingScalars { $0 == "'" ? #"'\''"# : nil }
    case nil where added.isEmpty: text += endsBetweenWords && closesQuote ? "''" : ""
    case nil: text += ShellText.escaped(added)
    default: text += added.replacingScalars { Self.isEscapedInQuotes($0) ? "\\\($0)" : nil }
    }
    if closesQuote, let openQuote { text.unicodeScalars.append(openQuote) }
    return text
  }
}
