import UndercroftCore

/// The number of insertions, deletions, replacements and transpositions of letters that change one
/// name to another. (optimal string alignment distance)
enum EditDistance {
  /// The number of scalars up to which names are compared.
  private static let maximumLength = 100

  /// Returns the distance between two names without regard to the case of ASCII letters.
  ///
  /// Returns `nil` if the distance is greater than `limit`.
  static func between(_ one: String, _ other: String, limit: Int) -> Int? {
    let first = Array(one.folded.text.unicodeScalars)
    let second = Array(other.folded.text.unicodeScalars)
    guard abs(first.count - second.count) <= limit, first.count <= maximumLength,
      second.count <= maximumLength
    else { return nil }
    // Each row contains the distances between a prefix of `first` and all prefixes of `second`.
    var (older, previous) = ([Int](), Array(0...second.count))
    for row in first.indices {
      var current = [row + 1]
      for column in second.indices {
        let isSame = first[row] == second[column]
        var distance = min(
          previous[column] + (isSame ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
          distance = min(distance, older[column - 1] + 1)
        }
        current.append(distance)
      }
      (older, previous) = (previous, current)
    }
    let distance = previous[second.count]
    return distance <= limit ? distance : nil
  }
}
