import UndercroftSQLite

/// A search in two forms: as the library executes it, and as the model evaluates it.
struct SearchQuery {
  let text: String
  let library: FullTextQuery
  /// Returns whether a document matches in some of its columns.
  let matches: (DocumentWords, Set<SearchedColumn>) -> Bool
  /// The phrases whose occurrences are highlighted, or `nil` if the model cannot determine these
  /// phrases.
  var phrases: [[String]]?
  /// Whether a part of the search is a `NEAR` group.
  var hasNear = false
}

/// The folded words of a document by column.
struct DocumentWords {
  let words: [SearchedColumn: [String]]

  init(_ document: Document) {
    var words: [SearchedColumn: [String]] = [:]
    for column in SearchedColumn.allCases {
      words[column] = WordSplitter.words(of: document.text(of: column)).map(\.folded)
    }
    self.words = words
  }

  /// Returns the indices of the words at which a phrase begins in a column.
  func starts(of phrase: [String], in column: SearchedColumn, lastIsPrefix: Bool = false) -> [Int] {
    let words = words[column] ?? []
    guard !phrase.isEmpty, words.count >= phrase.count else { return [] }
    return (0...words.count - phrase.count).filter { start in
      phrase.indices.allSatisfy { place in
        let word = words[start + place]
        return lastIsPrefix && place == phrase.count - 1
          ? word.utf8.starts(with: phrase[place].utf8) : word == phrase[place]
      }
    }
  }

  func has(_ phrase: [String], in columns: Set<SearchedColumn>, lastIsPrefix: Bool = false) -> Bool
  {
    columns.contains { !starts(of: phrase, in: $0, lastIsPrefix: lastIsPrefix).isEmpty }
  }

  /// Returns whether a column contains all words with at most `distance` other words between the
  /// first and the last.
  func hasNear(_ wanted: [String], _ distance: Int, in columns: Set<SearchedColumn>) -> Bool {
    columns.contains { column in
      let places = wanted.map { starts(of: [$0], in: column) }
      // The group begins at an occurrence of one of its words.
      return places.joined().contains { start in
        let span = start...start + distance + 1
        return places.allSatisfy { $0.contains(where: span.contains) }
      }
    }
  }
}
