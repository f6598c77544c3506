import UndercroftCore
package import UndercroftFoundation

/// A writer of JSON in a canonical form: without white space, and with the members of an object
/// sorted by the bytes of their names.
package struct JSONWriter {
  private var bytes: [UInt8] = []

  /// Returns the JSON form of a value.
  package static func data(_ value: JSONValue) -> Data {
    var writer = JSONWriter()
    writer.append(value)
    return Data(writer.bytes)
  }

  private mutating func append(_ value: JSONValue) {
    switch value {
    // `numberOutOfRange` occurs only in parsed messages, which are never written.
    case .null, .numberOutOfRange: append("null")
    case .bool(let bool): append(bool ? "true" : "false")
    case .integer(let integer): append(String(integer))
    case .real(let real): append(real.description)
    case .string(let text): append(quoting: text)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(quoting: member.key.text)
        bytes.append(UInt8(ascii: ":"))
        append(member.value)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func append(quoting text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    // Most texts need no escape, and are copied as a whole.
    text.withUTF8 { utf8 in
      var start = utf8.startIndex
      for index in utf8.indices where Self.isEscaped(utf8[index]) {
        bytes.append(contentsOf: utf8[start..<index])
        append(escaping: utf8[index])
        start = utf8.index(after: index)
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func append(escaping byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case 0x0A: append("\\n")
    case 0x0D: append("\\r")
    case 0x09: append("\\t")
    default: append("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
    }
  }
}
