/// Classes of ASCII characters.
enum ASCIIClass {
  // These functions are called for each byte of large values. The comparisons of integers are fast
  // in debug builds too, unlike those of a range.

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  static func isUppercase(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5a }

  static func isLowercase(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7a }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isLowercase(byte) || isUppercase(byte) || isDigit(byte)
  }

  static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0d }

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
