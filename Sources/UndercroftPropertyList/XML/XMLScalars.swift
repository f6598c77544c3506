import UndercroftFoundation

/// Decoders of the texts of XML elements.
enum XMLScalars {
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop(while: XMLScanner.isSpace)
    while let last = bytes.last, XMLScanner.isSpace(last) { bytes.removeLast() }
    return bytes
  }

  /// Returns a decimal or hexadecimal integer, or `nil` if the text has another form.
  static func integer(_ bytes: ArraySlice<UInt8>) -> Int128? {
    var digits = String(decoding: bytes, as: UTF8.self)[...]
    let isNegative = digits.hasPrefix("-")
    if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    if isHexadecimal { digits.removeFirst(2) }
    guard let first = digits.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-")
    else { return nil }
    return Int128((isNegative ? "-" : "") + digits, radix: isHexadecimal ? 16 : 10)
  }

  /// Returns a real number, which may be infinite or NaN, or `nil` if the text is no number.
  static func real(_ bytes: ArraySlice<UInt8>) -> Double? {
    Double(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the bytes of a Base64 text with white space, or `nil` if the text is invalid.
  static func base64(_ text: ArraySlice<UInt8>) -> Data? {
    var result = Data()
    result.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var digits = 0
    var padding = 0
    for byte in text where !XMLScanner.isSpace(byte) {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let digit = base64Digit(byte) else { return nil }
      bits = bits << 6 | digit
      digits += 1
      guard digits == 4 else { continue }
      for shift in [16, 8, 0] as [UInt32] {
        result.append(UInt8(truncatingIfNeeded: bits >> shift))
      }
      (bits, digits) = (0, 0)
    }
    // Some programs omit the padding, so it is optional.
    switch digits {
    case 0 where padding == 0: break
    case 2 where padding == 2 || padding == 0: result.append(UInt8(truncatingIfNeeded: bits >> 4))
    case 3 where padding <= 1:
      result.append(UInt8(truncatingIfNeeded: bits >> 10))
      result.append(UInt8(truncatingIfNeeded: bits >> 2))
    default: return nil
    }
    return result
  }

  private static func base64Digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  /// Returns a text with its references, sections, comments and line ends decoded.
  ///
  /// - Parameters:
  ///   - bytes: the whole text of the file.
  ///   - range: the range of a text that the parser has verified.
  static func decodedText(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(PropertyListError) -> [UInt8] {
    var scanner = XMLScanner(bytes)
    scanner.offset = range.lowerBound
    var result: [UInt8] = []
    while scanner.offset < range.upperBound, let byte = scanner.current {
      switch byte {
      case UInt8(ascii: "<"):
        if scanner.skip("<![CDATA[") {
          let start = scanner.offset
          try scanner.skip(through: "]]>", endOf: "the CDATA section")
          result.append(contentsOf: bytes[start..<max(start, scanner.offset - 3)])
        } else if try !scanner.skipCommentOrInstruction() {
          return result
        }
      case UInt8(ascii: "&"):
        result.append(contentsOf: UTF8.encode(try scanner.characterReference()) ?? .init())
      case 0x0d:
        // XML replaces CR and CR LF with LF.
        result.append(0x0a)
        scanner.offset += 1
        if scanner.current == 0x0a { scanner.offset += 1 }
      default:
        result.append(byte)
        scanner.offset += 1
      }
    }
    return result
  }
}
