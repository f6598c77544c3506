/// A splitter of text into words, with the same result as `unicode61 remove_diacritics 2` for the
/// text of ``Document``.
struct WordSplitter {
  struct Word {
    /// The word without case and diacritics.
    let folded: String
    /// The range of the word in the text.
    let range: Range<String.UnicodeScalarView.Index>
  }

  static func words(of text: String) -> [Word] {
    let scalars = text.unicodeScalars
    var words: [Word] = []
    var place = scalars.startIndex
    while place < scalars.endIndex {
      guard isPartOfWord(scalars[place]) else {
        place = scalars.index(after: place)
        continue
      }
      let start = place
      var folded = ""
      while place < scalars.endIndex, isPartOfWord(scalars[place]) {
        folded += fold(scalars[place])
        place = scalars.index(after: place)
      }
      words.append(Word(folded: folded, range: start..<place))
    }
    return words
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .otherLetter, .decimalNumber: true
    default: false
    }
  }

  private static func fold(_ scalar: Unicode.Scalar) -> String {
    scalar == "é" || scalar == "É" ? "e" : String(scalar).asciiLowercased
  }
}
