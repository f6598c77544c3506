/// The ends of the strings, numbers and constants of JSON.
enum JSONToken {
  /// Returns the end of the string that begins at an offset, or `nil` if it is not valid.
  static func stringEnd(from offset: Int, in bytes: [UInt8]) -> Int? {
    var index = offset + 1
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""): return index + 1
      case ..<0x20: return nil
      case UInt8(ascii: "\\"):
        guard index + 1 < bytes.count else { return nil }
        if bytes[index + 1] == UInt8(ascii: "u") {
          let digits = bytes[(index + 2)...].prefix(4)
          guard digits.count == 4, digits.allSatisfy(ASCIIClass.isHexadecimal) else { return nil }
          index += 6
        } else {
          guard "\"\\/bfnrt".utf8.contains(bytes[index + 1]) else { return nil }
          index += 2
        }
      default: index += 1
      }
    }
    return nil
  }

  /// Returns the end of the number or constant that begins at an offset, or `nil` if it is not
  /// valid.
  static func scalarEnd(from offset: Int, in bytes: [UInt8]) -> Int? {
    let end = bytes[offset...].firstIndex { !isScalarPart($0) } ?? bytes.count
    let token = bytes[offset..<end]
    let isConstant = ["null", "true", "false"].contains(String(decoding: token, as: UTF8.self))
    return isConstant || isNumber(token) ? end : nil
  }

  /// Returns the end of a string that may contain any characters and escapes, or `nil` if it is not
  /// closed.
  static func quotationEnd(from offset: Int, in bytes: [UInt8]) -> Int? {
    var end = offset + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return end < bytes.count ? end + 1 : nil
  }

  private static let plainEnds = Array(",]}\n\r\"{[".utf8)

  /// Returns the end of a scalar of the text of a property list, or `nil` if a string, an array or
  /// an object follows it directly.
  static func plainEnd(from offset: Int, in bytes: [UInt8]) -> Int? {
    var end = bytes[offset...].firstIndex(where: plainEnds.contains) ?? bytes.count
    guard end == bytes.count || !"\"{[".utf8.contains(bytes[end]) else { return nil }
    while ASCIIClass.isSpace(bytes[end - 1]) { end -= 1 }
    return end
  }

  private static func isScalarPart(_ byte: UInt8) -> Bool {
    ASCIIClass.isAlphanumeric(byte) || "+-.".utf8.contains(byte)
  }

  private static func isNumber(_ token: ArraySlice<UInt8>) -> Bool {
    var rest = token
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let whole = rest.prefix(while: ASCIIClass.isDigit)
    guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else {
      return false
    }
    rest = rest.dropFirst(whole.count)
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix(while: ASCIIClass.isDigit)
      guard !digits.isEmpty else { return false }
      rest = rest.dropFirst(digits.count + 1)
    }
    if let sign = rest.first, sign | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
      let digits = rest.prefix(while: ASCIIClass.isDigit)
      return !digits.isEmpty && digits.count == rest.count
    }
    return rest.isEmpty
  }
}
