/// The extent of a value that follows a secret name.
///
/// The end is only estimated, and rather too late than too early. No value is longer than
/// ``ASCIIText/contextCount`` bytes.
enum AssignedValue {
  /// The number of bytes of a block of YAML, whose end is not searched.
  private static let blockSize = 1_024

  /// Returns the end of the value after the separator that ends at an offset: of a string in
  /// quotation marks, of an array or an object, or of the line.
  static func end(from offset: Int, in text: ASCIIText) -> Int {
    let start = text.end(from: offset) {
      $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: "\\")
    }
    guard start < text.bytes.count else { return start }
    switch text.bytes[start] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return quotationEnd(from: start, in: text)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return containerEnd(from: start, in: text)
    case UInt8(ascii: "|"), UInt8(ascii: ">"): return limit(from: start, blockSize, in: text)
    default:
      return text.end(from: start, limit: ASCIIText.contextCount) { $0 != 0x0a && $0 != 0x0d }
    }
  }

  /// Returns the end of the value of an element of XML, or of the element after a `key`.
  static func end(ofElementAt offset: Int, in text: ASCIIText) -> Int {
    let limit = limit(from: offset, ASCIIText.contextCount, in: text)
    guard text.has("<key>", at: offset), let key = text.offset(of: "</key>", from: offset) else {
      return min(text.offset(of: "</", from: offset) ?? limit, limit)
    }
    let value = text.end(from: key + 6, while: ASCIIClass.isSpace)
    // The elements of a container have ends of their own.
    if text.has("<dict", at: value) || text.has("<array", at: value) { return limit }
    return min(text.offset(of: "</", from: value) ?? limit, limit)
  }

  /// Returns the end of a string, which has escaped quotation marks in JSON inside of a string.
  private static func quotationEnd(from start: Int, in text: ASCIIText) -> Int {
    let mark = text.bytes[start]
    let isEscaped = start > 0 && text.bytes[start - 1] == UInt8(ascii: "\\")
    let limit = limit(from: start, ASCIIText.contextCount, in: text)
    var offset = start + 1
    while offset < limit {
      switch text.bytes[offset] {
      case mark: return offset + 1
      case UInt8(ascii: "\\"):
        if isEscaped, offset + 1 < limit, text.bytes[offset + 1] == mark { return offset + 2 }
        offset += 2
      default: offset += 1
      }
    }
    return limit
  }

  private static func containerEnd(from start: Int, in text: ASCIIText) -> Int {
    let limit = limit(from: start, ASCIIText.contextCount, in: text)
    var depth = 0
    var offset = start
    while offset < limit {
      switch text.bytes[offset] {
      case UInt8(ascii: "\""):
        offset = quotationEnd(from: offset, in: text)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return offset + 1 }
      default: break
      }
      offset += 1
    }
    return limit
  }

  private static func limit(from start: Int, _ count: Int, in text: ASCIIText) -> Int {
    min(start + count, text.bytes.count)
  }
}
