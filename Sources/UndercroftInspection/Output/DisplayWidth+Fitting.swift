extension DisplayWidth {
  /// The part of a text that an ellipsis replaces.
  package enum Ellipsis: Sendable {
    /// The end, for text whose beginning matters most.
    case end
    /// The middle, for keys and paths, whose beginning and end both matter.
    case middle
  }

  /// The side of a column at which text is placed.
  package enum Alignment: Sendable {
    /// The left side, for text.
    case leading
    /// The middle, with the odd space on the right side.
    case center
    /// The right side, for numbers.
    case trailing
  }

  /// Returns `text` if it fits, or the part of it that fits together with the ellipsis `…`.
  ///
  /// The result is never wider than `columns`, and no grapheme cluster is split.
  ///
  /// - Parameters:
  ///   - text: the text, in which control characters are escaped.
  ///   - columns: the number of columns; the result is empty if the number is not positive.
  ///   - ellipsis: the part of the text that is replaced.
  /// - Complexity: O(`columns`) grapheme clusters that occupy columns, even if the text is longer.
  package static func truncated(
    _ text: some StringProtocol, to columns: Int, ellipsis: Ellipsis = .end
  ) -> String {
    guard columns > 0 else { return "" }
    let available = columns - 1
    let end = fitting(text, columns)
    if end.index == text.endIndex { return String(text) }
    switch ellipsis {
    case .end: return text[..<fitting(text, available).index] + "…"
    case .middle:
      let head = fitting(text, available / 2)
      let tail = suffixStart(text, available - head.columns)
      return text[..<head.index] + "…" + text[tail...]
    }
  }

  /// Returns `text` with spaces up to a width, or unchanged if it is at least that wide.
  ///
  /// - Parameters:
  ///   - text: the text, in which control characters are escaped.
  ///   - columns: the number of columns.
  ///   - alignment: the side of the column at which the text is placed.
  package static func padded(
    _ text: some StringProtocol, to columns: Int, alignment: Alignment = .leading
  ) -> String {
    let width = of(text)
    guard columns > width else { return String(text) }
    let missing = columns - width
    let left =
      switch alignment {
      case .leading: 0
      case .center: missing / 2
      case .trailing: missing
      }
    return String(repeating: " ", count: left) + text
      + String(repeating: " ", count: missing - left)
  }

  /// Returns the end of the longest prefix that fits, and the number of its columns.
  static func fitting<Text: StringProtocol>(
    _ text: Text, _ columns: Int
  ) -> (index: Text.Index, columns: Int) {
    var index = text.startIndex
    var used = 0
    while index < text.endIndex {
      let width = of(text[index])
      if width > columns - used { break }
      used += width
      index = text.index(after: index)
    }
    return (index, used)
  }

  /// Returns the start of the longest suffix that fits.
  private static func suffixStart<Text: StringProtocol>(
    _ text: Text, _ columns: Int
  ) -> Text.Index {
    var index = text.endIndex
    var used = 0
    while index > text.startIndex {
      let previous = text.index(before: index)
      let width = of(text[previous])
      if width > columns - used { break }
      used += width
      index = previous
    }
    return index
  }
}
