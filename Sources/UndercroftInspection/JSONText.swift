import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// JSON laid out for people, with every token as it stands in the bytes: no number is rounded, no name is reordered.
public enum JSONText {
  /// What is laid out at most; beyond, the bytes are shown as they are.
  private static let mostBytes = 1 << 20
  /// Deeper levels stand at this one, so that a value cannot grow by its indentation alone.
  private static let deepest = 40

  private struct Anything: Decodable { init(from decoder: any Decoder) {} }

  /// Returns `bytes` with a line for each element, or `nil` when they are no JSON or too many.
  static func readable(_ bytes: Data) -> String? {
    // A zero means that the coder took them for UTF-16 or 32.
    guard bytes.count <= mostBytes, !bytes.contains(0),
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
        // What was opened just before is empty and stays on its line.
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

  /// Returns the same JSON with the characters that drive a terminal as `\uXXXX`, which every reader takes back.
  public static func safe(_ json: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
      guard scalar != "\n", ValueText.isHarmful(scalar) else {
        result.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(UInt32(unit) | 0x10000, radix: 16).dropFirst()
        result.append(contentsOf: "\\u\(digits)".unicodeScalars)
      }
    }
    return String(result)
  }
}
