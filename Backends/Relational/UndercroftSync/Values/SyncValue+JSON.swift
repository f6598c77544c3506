import UndercroftCore
import UndercroftFoundation

/// The member that names the type of a value for which JSON has no type.
private enum ValueTag: String {
  case integer = "$i"
  case real = "$r"
  case text = "$t"
  case blob = "$b"
  case encrypted = "$e"
}

extension SyncValue {
  /// The form of the value on the wire.
  package var json: JSONValue {
    switch stored {
    case .null: .null
    case .integer(let integer):
      JSONValue.exactIntegers.contains(integer)
        ? .integer(integer) : Self.tagged(.integer, String(integer))
    case .real(let real):
      real.isFinite ? .real(real) : Self.tagged(.real, real < 0 ? "-inf" : "inf")
    case .text(let text):
      // JSON can contain U+0000, but the type `jsonb` of PostgreSQL cannot.
      text.utf8.contains(0)
        ? Self.tagged(.text, Data(text.utf8).base64EncodedString()) : .string(text)
    case .malformedText(let bytes): Self.tagged(.text, bytes.base64EncodedString())
    case .blob(let bytes): Self.tagged(.blob, bytes.base64EncodedString())
    case .encrypted(let value): Self.tagged(.encrypted, value.text)
    }
  }

  private static func tagged(_ tag: ValueTag, _ text: String) -> JSONValue {
    .object([ExactString(tag.rawValue): .string(text)])
  }

  /// Creates the value from its form on the wire.
  package init(json: JSONValue) throws(WireError) {
    switch json {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .string(let text): self = .text(text)
    case .object(let members): self = try Self.untagged(members)
    case .bool, .array, .numberOutOfRange:
      throw WireError("expected a value that SQLite can store, found \(json.typeName)")
    }
  }

  private static func untagged(_ members: [ExactString: JSONValue]) throws(WireError) -> SyncValue {
    guard members.count == 1, let member = members.first else {
      throw WireError(
        """
        expected an object with 1 member, which names the type of the value, found \
        \(members.count) members
        """)
    }
    guard let tag = ValueTag(rawValue: member.key.text) else {
      let name = quoted(WireError.shortened(member.key.text))
      throw WireError(
        "this version of the library does not support values of the type \(name)",
        code: .notSupported)
    }
    guard case .string(let text) = member.value else {
      throw WireError(
        "expected a string in the member \(quoted(tag.rawValue)), found \(member.value.typeName)")
    }
    switch tag {
    case .integer:
      guard let integer = Int64(text), String(integer) == text else {
        throw WireError(
          """
          the string in the member \(quoted(tag.rawValue)) is not a 64-bit integer in its \
          shortest decimal form
          """)
      }
      return .integer(integer)
    case .real:
      guard text == "inf" || text == "-inf" else {
        throw WireError(
          "the string in the member \(quoted(tag.rawValue)) is neither \"inf\" nor \"-inf\"")
      }
      return .real(text == "inf" ? .infinity : -.infinity)
    case .text: return SyncValue(textBytes: try bytes(text, tag))
    case .blob: return .blob(try bytes(text, tag))
    case .encrypted:
      guard let value = EncryptedValue(text: text) else {
        throw WireError(
          """
          the string in the member \(quoted(tag.rawValue)) does not have the form \
          k<key number>.<Base64>
          """)
      }
      return .encrypted(value)
    }
  }

  private static func bytes(_ text: String, _ tag: ValueTag) throws(WireError) -> Data {
    guard let bytes = Data(base64Encoded: text) else {
      throw WireError("the string in the member \(quoted(tag.rawValue)) is not Base64")
    }
    return bytes
  }
}
