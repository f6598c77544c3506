import UndercroftCore
package import UndercroftFoundation

/// A parser of JSON for messages that may be truncated or hostile.
///
/// Every violation of RFC 8259, every repeated member of an object, and every nesting of
/// more than 32 levels is an error. No input can make the parser trap. The time is
/// linear in the size of the input.
package struct JSONReader {
  /// The maximum number of nested arrays and objects.
  ///
  /// Messages of version 1 have 7 levels. Members that are ignored can have further levels.
  static let maximumDepth = 32

  let bytes: [UInt8]
  var position = 0

  /// Returns the value that `data` contains.
  package static func read(_ data: Data) throws(WireError) -> JSONValue {
    var reader = JSONReader(bytes: [UInt8](data))
    let value = try reader.value(depth: 0)
    reader.skipWhitespace()
    guard reader.peek == nil else {
      throw reader.failure("expected the end of the JSON text after the value")
    }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The next byte, or `nil` at the end.
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  func failure(_ reason: String) -> WireError {
    WireError("invalid JSON at byte \(position): \(reason)")
  }

  private mutating func skipWhitespace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  /// Returns the next byte after white space, and advances past the byte.
  private mutating func next() throws(WireError) -> UInt8 {
    skipWhitespace()
    guard let byte = peek else { throw failure("the JSON text ends before its value is complete") }
    position += 1
    return byte
  }

  /// Returns the value at the current position, and advances past the value.
  ///
  /// - Parameter depth: the number of arrays and objects that contain the value.
  private mutating func value(depth: Int) throws(WireError) -> JSONValue {
    let byte = try next()
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < Self.maximumDepth else {
        position -= 1
        throw failure("more than \(Self.maximumDepth) arrays and objects are nested")
      }
      return byte == UInt8(ascii: "{")
        ? .object(try members(depth: depth + 1)) : .array(try elements(depth: depth + 1))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("rue", .bool(true))
    case UInt8(ascii: "f"): return try literal("alse", .bool(false))
    case UInt8(ascii: "n"): return try literal("ull", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      position -= 1
      return try number()
    default:
      position -= 1
      throw failure("expected a JSON value")
    }
  }

  private mutating func literal(
    _ rest: StaticString, _ value: JSONValue
  ) throws(WireError) -> JSONValue {
    for offset in 0..<rest.utf8CodeUnitCount {
      guard peek == rest.utf8Start[offset] else { throw failure("expected true, false or null") }
      position += 1
    }
    return value
  }

  private mutating func elements(depth: Int) throws(WireError) -> [JSONValue] {
    var elements: [JSONValue] = []
    skipWhitespace()
    if peek == UInt8(ascii: "]") {
      position += 1
      return elements
    }
    while true {
      elements.append(try value(depth: depth))
      switch try next() {
      case UInt8(ascii: ","): continue
      case UInt8(ascii: "]"): return elements
      default: throw failure("expected a comma or a closing bracket in an array")
      }
    }
  }

  private mutating func members(depth: Int) throws(WireError) -> [ExactString: JSONValue] {
    var members: [ExactString: JSONValue] = [:]
    skipWhitespace()
    if peek == UInt8(ascii: "}") {
      position += 1
      return members
    }
    while true {
      guard try next() == UInt8(ascii: "\"") else {
        throw failure("expected the name of a member in double quotes")
      }
      let name = ExactString(try string())
      guard try next() == UInt8(ascii: ":") else {
        throw failure("expected a colon after the name of a member")
      }
      let value = try value(depth: depth)
      guard members.updateValue(value, forKey: name) == nil else {
        let repeated = quoted(WireError.shortened(name.text))
        throw failure("an object has two members with the name \(repeated)")
      }
      switch try next() {
      case UInt8(ascii: ","): continue
      case UInt8(ascii: "}"): return members
      default: throw failure("expected a comma or a closing brace in an object")
      }
    }
  }
}
