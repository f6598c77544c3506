#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value as a person can read it, and as it cannot harm a terminal.
public enum ValueText {
  /// Returns text with its control characters escaped, JSON and property lists laid out, or the first bytes in hexadecimal.
  ///
  /// - Parameter codec: the name of the codec that made the bytes, where it is known.
  public static func readable(_ bytes: Data, codec: String? = nil) -> String {
    if PropertyListText.isOne(bytes), let list = PropertyListText.readable(bytes) {
      return safe(list, keeping: ["\n"])
    }
    if codec == nil || codec == "json", let json = JSONText.readable(bytes) {
      return safe(json, keeping: ["\n"])
    }
    if let text = text(bytes) { return text }
    let shown = bytes.prefix(256)
    var lines = ["\(bytes.count) bytes, not text"]
    for start in stride(from: 0, to: shown.count, by: 16) {
      let row = shown.dropFirst(start).prefix(16)
      lines.append(row.map { hexadecimal($0) }.joined(separator: " "))
    }
    if bytes.count > shown.count { lines.append("… \(bytes.count - shown.count) more") }
    return lines.joined(separator: "\n")
  }

  /// Returns the first 16 bytes as SQL writes them, and how many more there are.
  public static func brief(_ bytes: Data) -> String {
    let shown = "x'\(bytes.prefix(16).map { hexadecimal($0) }.joined())'"
    return bytes.count > 16 ? "\(shown) … \(bytes.count - 16) more" : shown
  }

  private static func text(_ bytes: Data) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: { $0.value < 9 })
    else { return nil }
    return safe(text, keeping: ["\n", "\t"])
  }

  /// Returns `text` with characters that drive a terminal, or turn the direction of writing, as `\u{…}`.
  public static func safe(_ text: String, keeping kept: Set<Unicode.Scalar> = []) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if kept.contains(scalar) || !isHarmful(scalar) {
        result.append(scalar)
      } else {
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      }
    }
    return String(result)
  }

  static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: true
    default: false
    }
  }

  static func hexadecimal(_ byte: UInt8) -> String {
    String(String(UInt16(byte) | 0x100, radix: 16).dropFirst())
  }
}
