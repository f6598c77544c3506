import UndercroftFoundation

/// A formatter that makes JSON readable for people.
///
/// The formatter does not change the tokens: numbers are not rounded, and keys are not reordered.
public enum JSONText {
  /// The maximum size in bytes of JSON that is formatted; larger values are shown unformatted.
  private static let maximumByteCount = 1 << 20

  /// Returns JSON with one line for each element, or `nil` if `bytes` are not JSON or too large.
  static func readable(_ bytes: Data) -> String? {
    bytes.count > maximumByteCount ? nil : JSONFormatter.text(of: bytes, colon: ": ")
  }

  /// Returns equivalent JSON in which characters that control a terminal are escaped as `\uXXXX`.
  public static func safe(_ json: String) -> String {
    json.replacingScalars { scalar in
      scalar != "\n" && ValueText.isHarmful(scalar) ? escape(scalar) : nil
    }
  }

  /// Returns a scalar as one or two JSON escapes, such as `\u001b`.
  static func escape(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { unit in "\\u\(String(UInt32(unit) | 0x10000, radix: 16).dropFirst())"
    }
    .joined()
  }
}
