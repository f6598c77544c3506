import UndercroftCore

/// A search for the name that differs least from a word, which may be mistyped.
struct NearestName {
  /// The size in bytes of the longest word for which names are compared.
  private static let maximumCount = 64

  private let word: [UInt8]
  /// The largest number of differences of a similar name.
  private let limit: Int
  private var nearest: (name: String, distance: Int)?

  /// Begins a search for names that are similar to a word.
  init(to word: String) {
    self.word = Array(word.utf8)
    limit = max(1, self.word.count / 3)
  }

  /// The first one of the most similar names, or `nil` if all names differ much.
  var name: String? { nearest?.name }

  /// The question whether the most similar name is meant, with a space after it, or an empty string
  /// if all names differ much.
  var question: String { nearest.map { "did you mean \(quoted($0.name))? " } ?? "" }

  /// Compares a name with the word.
  mutating func compare(_ name: String) {
    guard word.count <= Self.maximumCount, abs(name.utf8.count - word.count) <= limit else {
      return
    }
    let distance = Self.distance(Array(name.utf8), word)
    guard distance <= limit, distance < nearest?.distance ?? .max else { return }
    nearest = (name, distance)
  }

  /// Returns the number of bytes that must be inserted, removed, replaced or exchanged with their
  /// neighbour. (optimal string alignment)
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var older: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
        var least = min(replaced, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, older[column - 1] + 1)
        }
        current.append(least)
      }
      (older, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
