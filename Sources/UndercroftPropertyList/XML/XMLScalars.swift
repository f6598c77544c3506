import UndercroftFoundation

/// Decoders of the texts of XML elements.
enum XMLScalars {
  /// Returns a text without the white space of Unicode around it.
  static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = withoutLeadingSpace(text)
    while let last = text.last {
      if isSpace(last) {
        text.removeLast()
      } else {
        guard last >= 0x80, let scalar = scalars(text.suffix(3)).last,
          scalar.properties.isWhitespace
        else { break }
        text.removeLast(UTF8.width(scalar))
      }
    }
    return text
  }

  private static func withoutLeadingSpace(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text
    while let first = text.first {
      if isSpace(first) {
        text.removeFirst()
      } else {
        guard first >= 0x80, let scalar = scalars(text.prefix(3)).first,
          scalar.properties.isWhitespace
        else { break }
        text.removeFirst(UTF8.width(scalar))
      }
    }
    return text
  }

  /// Returns whether a byte is a space or a control character from the tab to the return.
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0d ~= byte }

  private static func scalars(_ text: ArraySlice<UInt8>) -> String.UnicodeScalarView {
    String(decoding: text, as: UTF8.self).unicodeScalars
  }

  /// Returns a decimal or hexadecimal integer, or `nil` if the text has another form.
  ///
  /// As in Foundation, there may be white space after the sign.
  static func integer(_ text: ArraySlice<UInt8>) -> Int128? {
    var digits = text
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") {
      digits = withoutLeadingSpace(digits.dropFirst())
    }
    let isHexadecimal = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
    if isHexadecimal { digits.removeFirst(2) }
    guard !digits.isEmpty else { return nil }
    return isHexadecimal
      ? integer(digits, base: 16, isNegative: isNegative, digit: hexadecimalDigit)
      : integer(digits, base: 10, isNegative: isNegative, digit: decimalDigit)
  }

  @inline(__always)
  private static func integer(
    _ digits: ArraySlice<UInt8>, base: Int128, isNegative: Bool, digit: (UInt8) -> UInt8?
  ) -> Int128? {
    var result: Int128 = 0
    for byte in digits {
      guard let digit = digit(byte) else { return nil }
      let (product, isTooLarge) = result.multipliedReportingOverflow(by: base)
      let (sum, isOutOfRange) =
        isNegative
        ? product.subtractingReportingOverflow(Int128(digit))
        : product.addingReportingOverflow(Int128(digit))
      guard !isTooLarge, !isOutOfRange else { return nil }
      result = sum
    }
    return result
  }

  private static func decimalDigit(_ byte: UInt8) -> UInt8? {
    let digit = byte &- UInt8(ascii: "0")
    return digit < 10 ? digit : nil
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    if let digit = decimalDigit(byte) { return digit }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }

  /// Returns a real number, which may be infinite or NaN, or `nil` if the text is not a number.
  ///
  /// The format has no hexadecimal real numbers.
  static func real<Number: LosslessStringConvertible>(_ text: ArraySlice<UInt8>) -> Number? {
    guard !text.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }) else { return nil }
    return Number(String(decoding: text, as: UTF8.self))
  }

  /// Returns the bytes of a Base64 text with white space, or `nil` if the text is invalid.
  static func base64(_ text: ArraySlice<UInt8>) -> Data? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var digits = 0
    var padding = 0
    for byte in text {
      if let digit = base64Digit(byte), padding == 0 {
        bits = bits << 6 | digit
        digits += 1
        guard digits == 4 else { continue }
        result.append(UInt8(truncatingIfNeeded: bits >> 16))
        result.append(UInt8(truncatingIfNeeded: bits >> 8))
        result.append(UInt8(truncatingIfNeeded: bits))
        (bits, digits) = (0, 0)
      } else if byte == UInt8(ascii: "=") {
        padding += 1
      } else if !isSpace(byte) {
        return nil
      }
    }
    // The padding is required, because without it, missing characters would not be noticed.
    switch digits {
    case 0 where padding == 0: break
    case 2 where padding == 2: result.append(UInt8(truncatingIfNeeded: bits >> 4))
    case 3 where padding == 1:
      result.append(UInt8(truncatingIfNeeded: bits >> 10))
      result.append(UInt8(truncatingIfNeeded: bits >> 2))
    default: return nil
    }
    return Data(result)
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

  /// Returns a text with its references and sections decoded, and without comments.
  ///
  /// Line ends remain as they are, because Foundation writes and reads carriage returns as they
  /// are, although XML replaces them.
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
    result.reserveCapacity(range.count)
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
      default:
        let start = scanner.offset
        scanner.skipPlainText()
        result.append(contentsOf: bytes[start..<min(scanner.offset, range.upperBound)])
      }
    }
    return result
  }
}
