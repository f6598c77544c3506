/// A scanner for one line of strace output.
struct StraceScanner {
  private let text: [UInt8]
  private var index = 0

  init(_ text: [UInt8]) { self.text = text }

  var rest: ArraySlice<UInt8> { text[index...] }

  private var current: UInt8? { index < text.count ? text[index] : nil }

  mutating func skipSpaces() { while current == UInt8(ascii: " ") { index += 1 } }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  mutating func digits() -> Int? {
    let start = index
    var value = 0
    while let byte = current, byte >= 48, byte <= 57 {
      value = value &* 10 &+ Int(byte - 48)
      index += 1
    }
    return index > start ? value : nil
  }

  mutating func word() -> String? {
    let start = index
    while let byte = current, Self.isWord(byte) { index += 1 }
    return index > start ? String(decoding: text[start..<index], as: UTF8.self) : nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 97 && byte <= 122 || byte >= 65 && byte <= 90 || byte >= 48 && byte <= 57 || byte == 95
  }

  /// Scans a decimal, hexadecimal or octal number in the
  /// notation of C, or returns `nil` if there is none.
  mutating func integer() -> Int? {
    let start = index
    let isNegative = skip("-")
    var radix: UInt64 = 10
    if current == 48, index + 1 < text.count {
      if text[index + 1] == UInt8(ascii: "x") {
        radix = 16
        index += 2
      } else if text[index + 1] >= 48, text[index + 1] <= 57 {
        radix = 8
      }
    }
    let first = index
    var value: UInt64 = 0
    while let byte = current, let digit = Self.digit(byte), UInt64(digit) < radix {
      value = value &* radix &+ UInt64(digit)
      index += 1
    }
    guard index > first else {
      index = start
      return nil
    }
    let number = Int(truncatingIfNeeded: value)
    return isNegative ? -number : number
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 97...102: byte - 87
    case 65...70: byte - 55
    default: nil
    }
  }

  /// Scans comma-separated arguments up to and including the closing
  /// character, or returns `nil` if they are not in the format of strace.
  mutating func arguments(until closing: UInt8) -> [SystemCall.Argument]? {
    var found: [SystemCall.Argument] = []
    while let byte = current {
      if byte == closing {
        index += 1
        return found
      }
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: " ") {
        index += 1
        continue
      }
      guard let argument = argument() else { return nil }
      found.append(argument)
    }
    return nil
  }

  private mutating func argument() -> SystemCall.Argument? {
    guard let byte = current else { return nil }
    switch byte {
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "["):
      index += 1
      return arguments(until: UInt8(ascii: "]")).map { .list($0) }
    case UInt8(ascii: "{"):
      index += 1
      return arguments(until: UInt8(ascii: "}")).map { .list($0) }
    default: break
    }
    let start = index
    if let number = integer(), current.map(Self.endsValue) ?? true { return .number(number) }
    index = start
    // A member of a structure consists of its name and its value.
    if word() != nil, skip("=") { return argument() }
    // Skip anything else, such as an expression, because no caller needs it.
    index = start
    var depth = 0
    while let byte = current {
      if depth == 0, byte == 44 || byte == 41 || byte == 93 || byte == 125 { break }
      if byte == 40 || byte == 91 || byte == 123 { depth += 1 }
      if byte == 41 || byte == 93 || byte == 125 { depth -= 1 }
      if byte == UInt8(ascii: "\"") {
        guard string() != nil else { return nil }
      } else {
        index += 1
      }
    }
    return index > start ? .other(String(decoding: text[start..<index], as: UTF8.self)) : nil
  }

  private static func endsValue(_ byte: UInt8) -> Bool {
    byte == 44 || byte == 41 || byte == 93 || byte == 125 || byte == 32
  }

  /// Scans a quoted string in which every byte is written as "\x61", or returns
  /// `.other` if strace truncated it, and `nil` if it is in another format.
  private mutating func string() -> SystemCall.Argument? {
    index += 1
    var bytes: [UInt8] = []
    bytes.reserveCapacity((text.count - index) / 4)
    while index + 3 < text.count, text[index] == UInt8(ascii: "\\"),
      let high = Self.digit(text[index + 2]), let low = Self.digit(text[index + 3])
    {
      bytes.append(high << 4 | low)
      index += 4
    }
    guard skip("\"") else { return nil }
    if rest.starts(with: "...".utf8) {
      index += 3
      return .other("cut off")
    }
    return .bytes(bytes)
  }
}
