/// The number of insertions, deletions, replacements and transpositions of scalars that change one
/// name to another. (optimal string alignment distance)
package enum EditDistance {
  /// The number of scalars up to which names are compared.
  private static let maximumLength = 100

  /// Returns the distance between two names, which differ if the case of a letter differs.
  ///
  /// Returns `nil` if the distance is greater than `limit`, or if a name has more than 100 scalars.
  package static func between(_ lhs: String, _ rhs: String, limit: Int) -> Int? {
    // A scalar has at most four bytes. The scalars of a very long name are not counted.
    guard max(lhs.utf8.count, rhs.utf8.count) <= 4 * maximumLength else { return nil }
    let (first, second) = (Array(lhs.unicodeScalars), Array(rhs.unicodeScalars))
    guard abs(first.count - second.count) <= limit,
      max(first.count, second.count) <= maximumLength
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
