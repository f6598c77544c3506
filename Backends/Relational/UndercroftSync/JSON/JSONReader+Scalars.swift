extension JSONReader {
  /// Returns the string whose opening quotation mark has been read.
  mutating func string() throws(WireError) -> String {
    let start = position
    while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      position += 1
    }
    // Most strings contain no escape and are not copied byte by byte.
    if peek == UInt8(ascii: "\"") {
      position += 1
      return try text(of: bytes[start..<position - 1])
    }
    var text = [UInt8](bytes[start..<position])
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return try self.text(of: text[...])
      case UInt8(ascii: "\\"): text += try escape()
      case 0..<0x20: throw failure("a string contains a control character that is not escaped")
      default: text.append(byte)
      }
    }
    throw failure("the JSON text ends inside a string")
  }

  private func text(of utf8: ArraySlice<UInt8>) throws(WireError) -> String {
    guard let text = String(validating: utf8, as: UTF8.self) else {
      throw failure("a string is not valid UTF-8")
    }
    return text
  }

  /// Returns the UTF-8 bytes of the character that an escape sequence denotes.
  ///
  /// The backslash of the escape sequence has been read.
  private mutating func escape() throws(WireError) -> [UInt8] {
    guard let byte = peek else { throw failure("the JSON text ends inside a string") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw failure("a string contains an unknown escape sequence")
    }
  }

  private static let halfPair = "a string contains one half of a surrogate pair"

  private mutating func unicodeEscape() throws(WireError) -> [UInt8] {
    var number = try fourDigits()
    if (0xD800...0xDBFF).contains(number) {
      guard peek == UInt8(ascii: "\\") else { throw failure(Self.halfPair) }
      position += 1
      guard peek == UInt8(ascii: "u") else { throw failure(Self.halfPair) }
      position += 1
      let low = try fourDigits()
      guard (0xDC00...0xDFFF).contains(low) else { throw failure(Self.halfPair) }
      number = 0x1_0000 + (number - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(number) else { throw failure(Self.halfPair) }
    return [UInt8](UTF8.encode(scalar) ?? .init())
  }

  private mutating func fourDigits() throws(WireError) -> UInt32 {
    var number: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = peek.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw failure("expected four hexadecimal digits after \\u")
      }
      number = number << 4 | UInt32(digit)
      position += 1
    }
    return number
  }

  /// The maximum number of characters in a number; the largest `Double` has 309 digits.
  private static let maximumNumberLength = 400

  /// Returns the number at the current position, and advances past the number.
  mutating func number() throws(WireError) -> JSONValue {
    let start = position
    skip(UInt8(ascii: "-"))
    let isZero = peek == UInt8(ascii: "0")
    let digits = try skipDigits()
    guard !isZero || digits == 1 else { throw failure("a number has a leading zero") }
    var isInteger = true
    if skip(UInt8(ascii: ".")) {
      isInteger = false
      _ = try skipDigits()
    }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      isInteger = false
      if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
      _ = try skipDigits()
    }
    guard position - start <= Self.maximumNumberLength else {
      throw failure(
        """
        a number has \(position - start) characters, but the maximum is \
        \(Self.maximumNumberLength) characters
        """)
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger {
      guard let integer = Int64(text), JSONValue.exactIntegers.contains(integer) else {
        return .numberOutOfRange
      }
      return .integer(integer)
    }
    guard let real = Double(text), real.isFinite else { return .numberOutOfRange }
    return .real(real)
  }

  /// Skips the next byte if it equals `byte`, and returns whether it was skipped.
  @discardableResult
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  /// Skips one or more digits, and returns their count.
  ///
  /// - Throws: ``WireError`` if the next byte is not a digit.
  private mutating func skipDigits() throws(WireError) -> Int {
    let start = position
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw failure("expected a digit in a number") }
    return position - start
  }
}
