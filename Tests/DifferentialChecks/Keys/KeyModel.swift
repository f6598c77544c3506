/// The rows of ``Word`` and ``Place``, found by keys that disregard the case of A to Z.
struct KeyModel {
  var words: [Word] = []
  var places: [Place] = []

  static func isSame(_ lhs: String, _ rhs: String) -> Bool {
    Collation.noCase.order(lhs, rhs) == 0
  }

  func index(_ text: String) -> Int? { words.firstIndex { Self.isSame($0.text, text) } }

  func index(_ shelf: String, _ row: Int) -> Int? {
    places.firstIndex { Self.isSame($0.shelf, shelf) && $0.row == row }
  }

  var sortedWords: [Word] { words.sorted { Collation.noCase.order($0.text, $1.text) < 0 } }

  /// The places in the order of their keys.
  var sortedPlaces: [Place] {
    places.sorted { lhs, rhs in
      let order = Collation.noCase.order(lhs.shelf, rhs.shelf)
      return order == 0 ? lhs.row < rhs.row : order < 0
    }
  }

  /// The words in the order of `n` and the key.
  var wordsByNumber: [Word] {
    words.sorted { lhs, rhs in
      lhs.n == rhs.n ? Collation.noCase.order(lhs.text, rhs.text) < 0 : lhs.n < rhs.n
    }
  }
}
