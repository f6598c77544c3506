/// A search for the name that differs least from a word, which may be mistyped.
package struct NearestName {
  private let word: String
  /// The largest number of differences of a similar name.
  private let limit: Int
  private var nearest: (name: String, distance: Int)?

  /// Begins a search for names that are similar to a word.
  package init(to word: String) {
    self.word = word
    limit = max(1, word.unicodeScalars.count / 3)
  }

  /// The first one of the most similar names, or `nil` if all names differ much.
  package var name: String? { nearest?.name }

  /// The question whether the most similar name is meant, with a space after it, or an empty string
  /// if all names differ much.
  package var question: String { nearest.map { "did you mean \(quoted($0.name))? " } ?? "" }

  /// Compares a name with the word.
  package mutating func compare(_ name: String) {
    guard let distance = EditDistance.between(name, word, limit: limit),
      distance < nearest?.distance ?? .max
    else { return }
    nearest = (name, distance)
  }
}
