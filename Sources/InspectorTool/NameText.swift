import Foundation

/// Names as people type or paste them.
enum NameText {
  /// Returns the names that a text may mean: itself, its normal form, and what `keys` shows so because it cannot be shown.
  static func meanings(of text: String) -> [String] {
    var meanings = [text, text.precomposedStringWithCanonicalMapping]
    if let plain = unescaped(text) { meanings.append(plain) }
    return meanings
  }

  private static func unescaped(_ text: String) -> String? {
    guard text.contains("\\") else { return nil }
    var plain = ""
    var rest = Substring(text)
    while let next = rest.popFirst() {
      guard next == "\\" else {
        plain.append(next)
        continue
      }
      switch rest.popFirst() {
      case "u":
        guard let code = rest.prefixMatch(of: #/\{([0-9a-fA-F]{1,8})\}/#),
          let number = UInt32(code.1, radix: 16), let scalar = Unicode.Scalar(number)
        else { return nil }
        plain.unicodeScalars.append(scalar)
        rest = rest[code.range.upperBound...]
      case let sign? where sign == "\\" || sign == "\"": plain.append(sign)
      default: return nil
      }
    }
    return plain
  }
}
