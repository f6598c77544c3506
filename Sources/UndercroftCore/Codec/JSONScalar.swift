import UndercroftFoundation

/// A fast path for integers and Booleans, for which
/// Foundation's JSON coders need twenty times as long.
///
/// Encoding produces the same bytes as `JSONEncoder`. `encode` and
/// `decode` return `nil` for every value that they do not support.
enum JSONScalar {
  static func encode<Value>(_ value: Value) -> Data? {
    if Value.self == Int.self, let number = value as? Int { return Data(String(number).utf8) }
    if Value.self == Bool.self, let flag = value as? Bool {
      return Data((flag ? "true" : "false").utf8)
    }
    return nil
  }

  static func decode<Value>(_ type: Value.Type, from bytes: Data) -> Value? {
    if type == Int.self { return integer(bytes) as? Value }
    if type == Bool.self {
      if bytes.elementsEqual("true".utf8) { return true as? Value }
      if bytes.elementsEqual("false".utf8) { return false as? Value }
    }
    return nil
  }

  private static func integer(_ bytes: Data) -> Int? {
    // Numbers of up to 18 digits cannot overflow, so longer numbers are left to `JSONDecoder`.
    let isNegative = bytes.first == UInt8(ascii: "-")
    let digits = bytes.dropFirst(isNegative ? 1 : 0)
    guard !digits.isEmpty, digits.count <= 18 else { return nil }
    // JSON allows no leading zeros; `JSONDecoder` throws the error.
    if digits.first == UInt8(ascii: "0"), digits.count > 1 { return nil }
    var number = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return isNegative ? -number : number
  }
}
