/// The content of a string of JSON near a part of it, without its escapes, and the place of the
/// part in the content.
///
/// Secrets are recognised by ASCII characters, so that any other character that is escaped becomes
/// the byte 0xff.
struct JSONStringContent {
  /// The number of bytes of the string before and after the part that are read, because an escaped
  /// character has up to six bytes.
  private static let margin = 6 * ASCIIText.contextCount

  private(set) var bytes: [UInt8] = []
  private(set) var part: Range<Int>
  /// The indices of the characters of ``bytes`` in the string, and the end of the last one.
  private var indices: [Int] = []

  /// Creates the content of a string.
  ///
  /// - Parameters:
  ///   - string: the string without its quotation marks.
  ///   - part: a range of the indices of `string`, whose bounds may be outside of it.
  init(_ string: ArraySlice<UInt8>, near part: Range<Int>) {
    var (start, end) = (0, 0)
    var index = string.startIndex
    while index < min(string.endIndex, part.upperBound + Self.margin) {
      let (byte, count) = Self.character(string[index...])
      if index + count > part.lowerBound - Self.margin {
        bytes.append(byte)
        indices.append(index)
        // A character that the part cuts belongs to it.
        if index + count <= part.lowerBound { start = bytes.count }
        if index < part.upperBound { end = bytes.count }
      }
      index += count
    }
    indices.append(index)
    self.part = start..<max(start, end)
  }

  /// Returns the range of the indices of the string for a range of the content.
  func range(ofContent range: Range<Int>) -> Range<Int> {
    indices[range.lowerBound]..<indices[range.upperBound]
  }

  /// Returns the byte or the escaped character at the start of a string, and its size in the
  /// string.
  private static func character(_ string: ArraySlice<UInt8>) -> (byte: UInt8, count: Int) {
    let first = string[string.startIndex]
    guard first == UInt8(ascii: "\\"), let escaped = string.dropFirst().first else {
      return (first, 1)
    }
    switch escaped {
    case UInt8(ascii: "n"): return (0x0a, 2)
    case UInt8(ascii: "r"): return (0x0d, 2)
    case UInt8(ascii: "t"): return (0x09, 2)
    case UInt8(ascii: "b"), UInt8(ascii: "f"): return (0x20, 2)
    case UInt8(ascii: "u"):
      let digits = string.dropFirst(2).prefix(4)
      let number = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
      return (number.flatMap { $0 < 0x80 ? UInt8($0) : nil } ?? 0xff, 2 + digits.count)
    default: return (escaped, 2)
    }
  }
}
