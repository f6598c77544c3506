/// The bytes of a text, in which ASCII patterns are searched.
struct ASCIIText {
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Returns the offset of `pattern` at or after `start`, or `nil` if there is none.
  func offset(of pattern: StaticString, from start: Int = 0) -> Int? {
    var offset = max(0, start)
    while offset < bytes.count {
      if has(pattern, at: offset) { return offset }
      offset += 1
    }
    return nil
  }

  /// Returns whether `pattern` begins at an offset.
  ///
  /// - Parameters:
  ///   - pattern: the ASCII characters, in lowercase if `ignoringCase` is `true`.
  ///   - offset: the offset of the first byte.
  ///   - ignoringCase: whether uppercase letters of the text match too.
  func has(_ pattern: StaticString, at offset: Int, ignoringCase: Bool = false) -> Bool {
    pattern.withUTF8Buffer { pattern in
      guard offset >= 0, bytes.count - offset >= pattern.count else { return false }
      for index in pattern.indices {
        let byte = bytes[offset + index]
        let isUppercase = (0x41...0x5a).contains(byte)
        if (ignoringCase && isUppercase ? byte | 0x20 : byte) != pattern[index] { return false }
      }
      return true
    }
  }

  /// Returns the end of the bytes from `start` that satisfy a condition.
  ///
  /// - Parameters:
  ///   - start: the offset of the first byte.
  ///   - limit: the maximum number of bytes that are examined, for a caller that examines bytes
  ///     more than once.
  ///   - condition: the condition.
  func end(from start: Int, limit: Int = .max, while condition: (UInt8) -> Bool) -> Int {
    guard start < bytes.count else { return start }
    let last = start + min(limit, bytes.count - start)
    var end = start
    while end < last, condition(bytes[end]) { end += 1 }
    return end
  }

  /// Returns whether no letter or digit precedes an offset.
  func isWordStart(_ offset: Int) -> Bool {
    offset == 0 || !ASCIIClass.isAlphanumeric(bytes[offset - 1])
  }

  /// Returns a part of the text as a string.
  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

/// Classes of ASCII characters.
enum ASCIIClass {
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  static func isUppercase(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte) }

  static func isLowercase(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || isUppercase(byte) || isLowercase(byte)
  }

  static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  /// Whether a byte is part of the base64url alphabet.
  static func isURLSafe(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  /// Whether a byte is part of one of the two base64 alphabets.
  static func isBase64(_ byte: UInt8) -> Bool {
    isURLSafe(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
  }

  /// Whether a byte is part of the tokens of HTTP authentication (`token68`, RFC 9110).
  static func isToken(_ byte: UInt8) -> Bool {
    isBase64(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
      || byte == UInt8(ascii: "=")
  }
}
