/// A formatter that escapes text for the text and the attributes of an SVG document.
package enum SVGText {
  private static let replacement: Unicode.Scalar = "\u{fffd}"

  /// The maximum length of a text in Unicode scalars; a longer text ends with an ellipsis.
  private static let maximumLength = 1000

  /// Returns `text` without markup, control characters and characters that change the direction.
  ///
  /// A text of more than 1000 Unicode scalars is shortened.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in shortened(text).lazy.map(harmless) {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns `text` with every control, format and invalid character replaced by U+FFFD.
  ///
  /// A text of more than 1000 Unicode scalars is shortened.
  package static func cleaned(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    result.append(contentsOf: shortened(text).lazy.map(harmless))
    return String(result)
  }

  /// Returns the scalars of a text that is not too long.
  private static func shortened(_ text: String) -> String.UnicodeScalarView {
    let scalars = text.unicodeScalars
    let end = scalars.index(
      scalars.startIndex, offsetBy: maximumLength, limitedBy: scalars.endIndex)
    guard let end, end < scalars.endIndex else { return scalars }
    return String.UnicodeScalarView(scalars[..<end]) + CollectionOfOne("…")
  }

  private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII { return scalar.value < 32 || scalar.value == 127 ? replacement : scalar }
    // The joiners belong to words of some languages and to emoji.
    if scalar == "\u{200c}" || scalar == "\u{200d}" { return scalar }
    // XML does not allow U+FFFE and U+FFFF.
    if scalar.value & 0xfffe == 0xfffe { return replacement }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return replacement
    default: return scalar
    }
  }
}
