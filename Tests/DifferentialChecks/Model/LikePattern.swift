/// A `LIKE` pattern: `%` matches any text, `_` any single character, and the case of A to Z is
/// ignored.
///
/// Strings and patterns contain no NUL, because `LIKE` of SQLite stops at a NUL.
struct LikePattern {
  private let pattern: [Unicode.Scalar]

  init(_ pattern: String) { self.pattern = Array(pattern.asciiLowercased.unicodeScalars) }

  func matches(_ text: String) -> Bool {
    matches(Array(text.asciiLowercased.unicodeScalars)[...], pattern[...])
  }

  private func matches(
    _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if first == "%" {
      return (text.startIndex...text.endIndex).contains { matches(text[$0...], rest) }
    }
    guard let character = text.first, first == "_" || first == character else { return false }
    return matches(text.dropFirst(), rest)
  }
}
