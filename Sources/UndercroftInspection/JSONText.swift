import UndercroftCore
import UndercroftFoundation

/// A formatter that makes JSON readable for people.
///
/// The formatter does not change the tokens: numbers are not rounded, and keys are not reordered.
public enum JSONText {
  /// The maximum size in bytes of JSON that is formatted; larger values are shown unformatted.
  private static let maximumByteCount = 1 << 20
  /// The maximum indentation level, so that indentation alone cannot make a value much larger.
  private static let deepest = 40

  private struct Anything: Decodable { init(from decoder: any Decoder) {} }

  /// Returns JSON with one line for each element, or `nil` if `bytes` are not JSON or too large.
  static func readable(_ bytes: Data) -> String? {
    // JSON with a zero byte is in UTF-16 or UTF-32.
    guard bytes.count <= maximumByteCount, !bytes.contains(0),
      (try? JSONCodec().decode(Anything.self, from: bytes)) != nil
    else { return nil }
    var result: [UInt8] = []
    var depth = 0
    var isInText = false
    var isEscaped = false
    func breakLine() {
      result.append(UInt8(ascii: "\n"))
      result.append(
        contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * min(max(depth, 0), deepest)))
    }
    for byte in bytes {
      if isInText {
        result.append(byte)
        if !isEscaped, byte == UInt8(ascii: "\"") { isInText = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): continue
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        // An empty array or object remains on one line.
        if result.last != UInt8(ascii: "{"), result.last != UInt8(ascii: "[") { breakLine() }
      default:
        if result.last == UInt8(ascii: "{") || result.last == UInt8(ascii: "[") { breakLine() }
      }
      result.append(byte)
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ","): breakLine()
      case UInt8(ascii: ":"): result.append(UInt8(ascii: " "))
      default: break
      }
    }
    return String(validating: result, as: UTF8.self)
  }

  /// Returns equivalent JSON in which characters that control a terminal are escaped as `\uXXXX`.
  public static func safe(_ json: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
      guard scalar != "\n", ValueText.isHarmful(scalar) else {
        result.append(scalar)
        continue
      }
      result.append(contentsOf: escape(scalar).unicodeScalars)
    }
    return String(result)
  }

  /// Returns a scalar as one or two JSON escapes, such as `\u001b`.
  static func escape(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { unit in "\\u\(String(UInt32(unit) | 0x10000, radix: 16).dropFirst())"
    }
    .joined()
  }
}
