public import UndercroftFoundation

/// A formatter that makes values readable for people, and escapes characters that control a
/// terminal.
public enum ValueText {
  /// Returns a value as text, or the first 256 bytes in hexadecimal if it is not text.
  ///
  /// JSON and binary property lists are formatted, and control characters are escaped. JSON is
  /// formatted only if `codec` is "json" or `nil`.
  ///
  /// - Parameters:
  ///   - bytes: the stored value.
  ///   - codec: the name of the codec that encoded the bytes, or `nil` if it is unknown.
  public static func readable(_ bytes: Data, codec: String? = nil) -> String {
    if PropertyListText.isOne(bytes), let list = PropertyListText.readable(bytes) {
      return safe(list, keeping: ["\n"])
    }
    if codec == nil || codec == "json", let json = JSONText.readable(bytes) {
      return safe(json, keeping: ["\n"])
    }
    if let text = text(bytes) { return text }
    let shown = bytes.prefix(hexadecimalByteCount)
    var lines = ["\(bytes.count) bytes, not text"]
    for start in stride(from: 0, to: shown.count, by: 16) {
      let row = shown.dropFirst(start).prefix(16)
      lines.append(row.map { hexadecimal(CollectionOfOne($0)) }.joined(separator: " "))
    }
    if bytes.count > shown.count { lines.append("… \(bytes.count - shown.count) more") }
    return lines.joined(separator: "\n")
  }

  /// The number of bytes that ``readable(_:codec:)`` shows in hexadecimal.
  private static let hexadecimalByteCount = 256

  /// Returns the number of bytes of a value that ``readable(_:codec:)`` omits.
  ///
  /// - Parameter bytes: the stored value.
  package static func omittedByteCount(of bytes: Data) -> Int {
    guard bytes.count > hexadecimalByteCount, !isText(bytes),
      !PropertyListText.isOne(bytes) || PropertyListText.readable(bytes) == nil
    else { return 0 }
    return bytes.count - hexadecimalByteCount
  }

  /// Returns whether bytes are text in UTF-8 without the control characters below the tab, which no
  /// text contains.
  package static func isText(_ bytes: Data) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    return !text.unicodeScalars.contains { $0.value < 9 }
  }

  /// The number of bytes that ``brief(_:)`` returns.
  static let briefByteCount = 16

  /// Returns the first 16 bytes as an SQL blob literal, followed by the number of the remaining
  /// bytes if there are any.
  public static func brief(_ bytes: Data) -> String {
    let shown = "x'\(hexadecimal(bytes.prefix(briefByteCount)))'"
    return bytes.count > briefByteCount
      ? "\(shown) … \(bytes.count - briefByteCount) more" : shown
  }

  private static func text(_ bytes: Data) -> String? {
    isText(bytes) ? safe(String(decoding: bytes, as: UTF8.self), keeping: ["\n", "\t"]) : nil
  }

  /// Returns `text` with characters that control a terminal or change the writing direction escaped
  /// as `\u{…}`.
  ///
  /// - Parameters:
  ///   - text: the text to escape.
  ///   - preserved: the characters that are not escaped.
  public static func safe(_ text: String, keeping preserved: Set<Unicode.Scalar> = []) -> String {
    text.replacingScalars { scalar in
      isHarmful(scalar) && !preserved.contains(scalar)
        ? "\\u{\(String(scalar.value, radix: 16))}" : nil
    }
  }

  /// Returns whether a scalar controls a terminal, changes the writing direction, or has no
  /// standard meaning.
  static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    // The category of a scalar is searched in a table, which takes most of the time of a long text.
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7f }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: true
    default: false
    }
  }

  /// Returns two hexadecimal digits for each byte.
  package static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { buffer in
      var count = 0
      for byte in bytes {
        buffer[count] = digit(byte >> 4)
        buffer[count + 1] = digit(byte & 0xf)
        count += 2
      }
      return count
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
