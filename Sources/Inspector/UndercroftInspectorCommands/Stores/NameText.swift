import Foundation

/// A parser of names that users type or paste.
enum NameText {
  /// Returns the names that a user may mean by `text`.
  ///
  /// The names are the text itself, its Unicode normalisation form C, and two forms with resolved
  /// escapes: the escapes of the command `keys`, and the escapes of error messages.
  static func interpretations(of text: String) -> [String] {
    [
      text, text.precomposedStringWithCanonicalMapping, unescaped(text),
      unescaped(text, signs: ["\\", "\""]),
    ]
  }

  /// Returns `text` with its escapes resolved.
  ///
  /// The escapes are codes such as `\u{7}`, and a backslash before one of `signs`. The text is read
  /// scalar by scalar, because a combining accent may follow an escape.
  private static func unescaped(_ text: String, signs: Set<Unicode.Scalar> = []) -> String {
    var plain = ""
    var rest = text.unicodeScalars[...]
    while let next = rest.popFirst() {
      if next == "\\", let scalar = removeEscape(&rest) {
        plain.unicodeScalars.append(scalar)
      } else if next == "\\", let sign = rest.first, signs.contains(sign) {
        plain.unicodeScalars.append(rest.removeFirst())
      } else {
        plain.unicodeScalars.append(next)
      }
    }
    return plain
  }

  /// Removes a code such as `u{7}` from the start of `rest`, and returns the scalar of the code, or
  /// `nil` if `rest` does not begin with a code.
  private static func removeEscape(_ rest: inout Substring.UnicodeScalarView) -> Unicode.Scalar? {
    guard rest.starts(with: "u{".unicodeScalars), let end = rest.firstIndex(of: "}"),
      let number = UInt32(String(rest[..<end].dropFirst(2)), radix: 16),
      let scalar = Unicode.Scalar(number)
    else { return nil }
    rest = rest[end...].dropFirst()
    return scalar
  }
}
