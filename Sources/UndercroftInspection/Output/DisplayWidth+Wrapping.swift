extension DisplayWidth {
  /// Returns the lines of a text that is wrapped between words.
  ///
  /// A word that is wider than a line is divided between grapheme clusters.
  ///
  /// - Parameters:
  ///   - text: the text, in which control characters are escaped.
  ///   - columns: the maximum number of columns of a line, at least 1.
  ///   - maximumLines: the maximum number of lines, of which the last one then ends with the
  ///     ellipsis `…`, or `nil` for no limit.
  /// - Complexity: O(*n*), where *n* is the number of grapheme clusters that are returned.
  package static func wrapped(
    _ text: String, to columns: Int, maximumLines: Int? = nil
  ) -> [String] {
    guard let maximumLines else { return lines(of: text, columns) }
    let start = truncated(text, to: columns * maximumLines)
    let all = lines(of: start, columns)
    guard all.count > maximumLines else { return all }
    let rest = all[(maximumLines - 1)...].joined(separator: " ")
    return Array(all.prefix(maximumLines - 1)) + [truncated(rest, to: columns)]
  }

  private static func lines(of text: String, _ columns: Int) -> [String] {
    let limit = max(1, columns)
    var lines: [String] = []
    var line = ""
    var used: Int?
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let width = of(word)
      if let columns = used, columns + 1 + width <= limit {
        line += " \(word)"
        used = columns + 1 + width
        continue
      }
      if used != nil { lines.append(line) }
      var rest = word
      var end = fitting(rest, limit).index
      while end < rest.endIndex {
        // A grapheme cluster can be wider than a line.
        let next = max(end, rest.index(after: rest.startIndex))
        lines.append(String(rest[..<next]))
        rest = rest[next...]
        end = fitting(rest, limit).index
      }
      // The last cluster can have been wider than a line itself.
      line = rest.isEmpty && !word.isEmpty ? lines.removeLast() : String(rest)
      used = of(line)
    }
    return lines + [line]
  }
}
