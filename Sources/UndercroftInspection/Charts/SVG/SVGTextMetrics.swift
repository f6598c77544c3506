/// An estimate of the width of text in a proportional font.
///
/// The fonts of the reader are unknown, so the estimate is made from classes of characters.
package enum SVGTextMetrics {
  /// The size of the font of labels.
  package static let fontSize = 12.0

  /// Returns the estimated width of `text`.
  ///
  /// - Parameters:
  ///   - text: the text to measure.
  ///   - style: the class of the text; bold and large text is wider.
  ///   - maximum: the width at which the measurement ends, so that a long text costs little.
  package static func width(
    _ text: String, _ style: SVGClass = .label, upTo maximum: Double = SVGNumber.limit
  ) -> Double {
    let size = fontSize * factor(style)
    var width = 0.0
    for scalar in text.unicodeScalars {
      width += factor(scalar) * size
      if width > maximum { return maximum }
    }
    return width
  }

  /// Returns `text`, or its beginning and an ellipsis if `text` is wider than `width`.
  package static func fitted(
    _ text: String, in width: Double, _ style: SVGClass = .label
  ) -> String {
    let ellipsis = factor("…") * fontSize * factor(style)
    var used = 0.0
    var shortened = ""
    for character in text {
      // A character can consist of any number of scalars, and each has a positive width.
      let next = used + self.width(String(character), style, upTo: max(width, 0) + 1)
      // Sums of the same widths in a different order differ by rounding.
      if next > width + 0.01 { return used > 0 ? shortened + "…" : "" }
      used = next
      if used + ellipsis <= width { shortened.append(character) }
    }
    return text
  }

  private static func factor(_ style: SVGClass) -> Double {
    switch style {
    case .heading: 1.45
    case .strong: 1.15
    default: 1
    }
  }

  private static func factor(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "t", "f", "r", "I", ".", ",", ":", ";", "'", "|", "!", "(", ")", "[", "]",
      " ":
      0.38
    case "m", "w", "M", "W", "@", "%", "—", "…": 0.95
    case "A"..."Z": 0.72
    case "\0"..."~": 0.6
    // Wide scripts begin with Hangul, and emoji follow them.
    case "\u{1100}"..."\u{115f}", "\u{2e80}"..."\u{ffff}", "\u{1f000}"..."\u{3ffff}": 1.05
    default: scalar.properties.canonicalCombiningClass == .notReordered ? 0.68 : 0.05
    }
  }
}
