import Foundation

/// Names as people type or paste them.
enum NameText {
  /// Returns the names that a text may mean: itself, its normal form, and what `keys` or an error shows so because it cannot be shown.
  static func meanings(of text: String) -> [String] {
    [
      text, text.precomposedStringWithCanonicalMapping, unescaped(text),
      unescaped(text, signs: ["\\", "\""]),
    ]
  }

  /// Not by characters: an accent may follow what was escaped.
  private static func unescaped(_ text: String, signs: Set<Unicode.Scalar> = []) -> String {
    var plain = ""
    var rest = text.unicodeScalars[...]
    while let next = rest.popFirst() {
      if next == "\\", let scalar = takeCode(&rest) {
        plain.unicodeScalars.append(scalar)
      } else if next == "\\", let sign = rest.first, signs.contains(sign) {
        plain.unicodeScalars.append(rest.removeFirst())
      } else {
        plain.unicodeScalars.append(next)
      }
    }
    return plain
  }

  /// Takes what follows the backslash of `\u{7}`; nothing where that is something else.
  private static func takeCode(_ rest: inout Substring.UnicodeScalarView) -> Unicode.Scalar? {
    guard rest.starts(with: "u{".unicodeScalars), let end = rest.firstIndex(of: "}"),
      let number = UInt32(String(rest[..<end].dropFirst(2)), radix: 16),
      let scalar = Unicode.Scalar(number)
    else { return nil }
    rest = rest[end...].dropFirst()
    return scalar
  }
}
