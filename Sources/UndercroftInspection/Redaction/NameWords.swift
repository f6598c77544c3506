import UndercroftCore

/// The lowercase words of a name of a key or column.
///
/// Words end at a change from a lowercase to an uppercase letter, before the last letter of an
/// acronym that a lowercase letter follows, and at digits and punctuation. Digits are not words:
/// "oauth2APIKey-old" has the words "oauth", "api", "key" and "old".
struct NameWords {
  let words: [ExactString]

  init(_ name: String) {
    let scalars = Array(name.unicodeScalars)
    var words: [ExactString] = []
    var word = String.UnicodeScalarView()
    func finishWord() {
      if !word.isEmpty { words.append(ExactString(String(word).lowercased())) }
      word = String.UnicodeScalarView()
    }
    for (index, scalar) in scalars.enumerated() {
      guard Self.isLetter(scalar) else {
        finishWord()
        continue
      }
      if scalar.properties.isUppercase, index > 0 {
        let isAfterLowercase = scalars[index - 1].properties.isLowercase
        let isBeforeLowercase =
          index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
        if isAfterLowercase || isBeforeLowercase { finishWord() }
      }
      word.append(scalar)
    }
    finishWord()
    self.words = words
  }

  /// The pairs of adjacent words, with a space between the words.
  var pairs: [ExactString] {
    zip(words, words.dropFirst()).map { ExactString("\($0.text) \($1.text)") }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (0x41...0x5a).contains(scalar.value & 0xdf) }
    return scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
  }
}
