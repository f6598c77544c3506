import UndercroftInspection

/// Sentences in lines of a maximum width.
enum WrappedLines {
  /// Returns a text in lines that begin with spaces.
  ///
  /// - Parameters:
  ///   - text: the text, in which control characters are escaped.
  ///   - indentation: the number of spaces.
  ///   - width: the maximum number of columns of a line, or `nil` for no limit.
  static func text(_ text: String, indentedBy indentation: Int, in width: Int?) -> String {
    let spaces = String(repeating: " ", count: indentation)
    guard let width else { return spaces + text + "\n" }
    return DisplayWidth.wrapped(text, to: max(1, width - indentation))
      .map { spaces + $0 + "\n" }.joined()
  }
}
