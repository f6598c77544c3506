/// The number of columns that text occupies on a terminal.
///
/// Text is measured by grapheme clusters. East Asian wide and fullwidth characters occupy two
/// columns, and ambiguous ones occupy one column. Emoji sequences occupy two columns. Nonspacing
/// marks, format characters and control characters occupy none, so text whose control characters
/// have a meaning for the terminal is escaped first.
package enum DisplayWidth {
  /// Returns the number of columns of a text.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes. Printable ASCII is only counted.
  package static func of(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// Returns the number of columns of a grapheme cluster.
  package static func of(_ character: Character) -> Int {
    var sum = 0
    var widest = 0
    var scalarCount = 0
    var flagHalves = 0
    var hasEmojiSelector = false
    var hasTextSelector = false
    for scalar in character.unicodeScalars {
      let columns = columns(of: scalar)
      sum += columns
      widest = max(widest, columns)
      scalarCount += 1
      switch scalar.value {
      case 0xfe0e: hasTextSelector = true
      case 0xfe0f: hasEmojiSelector = true
      case 0x1f1e6...0x1f1ff: flagHalves += 1
      default: break
      }
    }
    guard let base = character.unicodeScalars.first else { return 0 }
    // Several leading consonants, such as in Old Korean, are still one syllable block.
    if isLeadingConsonant(base) || flagHalves > 1 { return 2 }
    // The parts of other clusters have columns of their own, such as a vowel sign of Thai.
    guard base.properties.isEmoji else { return sum }
    if hasEmojiSelector { return 2 }
    if hasTextSelector, scalarCount == 2, hasNarrowText(base) { return 1 }
    return widest
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7e: return 1
    // Vowels and final consonants of Hangul, which extend the preceding leading consonant.
    case 0x1160...0x11ff, 0xd7b0...0xd7ff: return 0
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator:
      return 0
    // The wide spacing marks are the tone marks of Hangul and of Vietnamese ideographs.
    case .spacingMark: return WideCharacters.contain(scalar) ? 0 : 1
    default: return WideCharacters.contain(scalar) ? 2 : 1
    }
  }

  private static func isLeadingConsonant(_ scalar: Unicode.Scalar) -> Bool {
    (0x1100...0x115f).contains(scalar.value) || (0xa960...0xa97c).contains(scalar.value)
  }

  /// Returns whether an emoji occupies one column in its text presentation.
  ///
  /// Enclosed ideographs are wide in both presentations.
  private static func hasNarrowText(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmojiPresentation && !(0x1f200...0x1f2ff).contains(scalar.value)
  }
}
