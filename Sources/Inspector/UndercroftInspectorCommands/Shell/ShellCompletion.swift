/// The completions of the last word of a line.
struct ShellCompletion: Equatable {
  /// The position of the first scalar that a completion replaces.
  let start: Int
  /// The texts that can replace the word, with quotes where they are needed.
  let candidates: [String]
  /// The text that replaces the word, with which all candidates begin.
  let insertion: String

  /// Returns the scalars with which all texts begin.
  static func commonPrefix(of texts: [String]) -> String {
    var common = Array((texts.first ?? "").unicodeScalars)
    for text in texts.dropFirst() {
      common = zip(common, text.unicodeScalars).prefix { $0 == $1 }.map(\.0)
    }
    return String(String.UnicodeScalarView(common))
  }
}
