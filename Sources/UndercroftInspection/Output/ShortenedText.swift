/// The beginning of a text that is too long for a cell of a table.
enum ShortenedText {
  /// The maximum size in bytes of a value that a cell contains completely.
  static let maximumSize = 65_536
  /// The maximum size in bytes of the beginning that a cell contains instead of a longer text.
  static let maximumStartSize = 16_000

  private static let maximumCount = 1_000

  /// Returns the beginning of a text and the size of the whole text.
  ///
  /// - Parameters:
  ///   - text: the text, or at least its first ``maximumStartSize`` bytes.
  ///   - size: the size in bytes of the whole text.
  static func text(_ text: String, ofSize size: Int) -> String {
    // A character can consist of many scalars, of which each has at most four bytes.
    let start = text.prefix(maximumCount).unicodeScalars.prefix(maximumStartSize / 4)
    var result = String.UnicodeScalarView()
    result.append(contentsOf: start)
    return "\(String(result))… (\(size) bytes)"
  }
}
