/// A formatter of text that Mermaid reads as a label or as a word.
enum MermaidText {
  private static let maximumWordLength = 100

  /// Returns a text for a quoted label, with every special character as an entity code.
  static func label(_ text: String) -> String {
    var result = ""
    for scalar in SVGText.cleaned(text).unicodeScalars {
      if scalar.isASCII, !isWord(scalar), !" ,.".unicodeScalars.contains(scalar) {
        result += "#\(scalar.value);"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result.isEmpty ? " " : result
  }

  /// Returns a word that begins with an ASCII letter and is not a keyword of attributes.
  static func word(_ text: String, empty: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(maximumWordLength) {
      let isAllowed = isWord(scalar) || "()".unicodeScalars.contains(scalar)
      result.unicodeScalars.append(isAllowed ? scalar : "_")
    }
    guard let first = result.unicodeScalars.first else { return empty }
    if !first.properties.isAlphabetic { result = "c_" + result }
    return ["PK", "FK", "UK"].contains(result) ? result + "_" : result
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }
}
