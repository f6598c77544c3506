public import UndercroftFoundation

/// A codec for UTF-8 text, for values of type `String`,
/// types with a `String` raw value, and their optionals.
public struct StringCodec: Codec {
  /// Creates a codec for UTF-8 text.
  public init() {}

  public var name: String { "string" }

  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    if let text = value as? String { return Data(text.utf8) }
    if let text = (value as? any RawRepresentable)?.rawValue as? String { return Data(text.utf8) }
    throw StorageError(
      .encodingFailed,
      """
      the codec \(quoted(name)) stores only String and types with a String raw value, and \
      \(Value.self) is neither
      """,
      suggestion: "declare the StorageKey with another codec, such as .json", backend: name)
  }

  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw StorageError(
        .decodingFailed, "the stored bytes are not UTF-8 text",
        suggestion: """
          read the value with the codec that encoded the value; if this is the codec \
          \(quoted(name)), the stored bytes are damaged: replace or remove the value
          """,
        backend: name)
    }
    if let value = text as? Value { return value }
    let plain = (type as? any OptionalValue.Type)?.wrappedType ?? type
    let rawType = plain as? any RawRepresentable.Type
    if let rawType, let value = Self.value(rawType, text), let result = value as? Value {
      return result
    }
    let hasTextValue = rawType.map { Self.hasTextValue($0) } ?? false
    throw StorageError(
      .decodingFailed,
      hasTextValue
        ? "init(rawValue:) of the type \(plain) returns nil for the stored text"
        : """
        the codec \(quoted(name)) reads only String and types with a String raw value, and \
        \(Value.self) is neither
        """,
      suggestion: hasTextValue
        ? "read the value as String, or with the type with which the value was saved"
        : "read the value with the type and the codec with which the value was saved",
      backend: name)
  }

  private static func value<Raw: RawRepresentable>(_ type: Raw.Type, _ text: String) -> Raw? {
    (text as? Raw.RawValue).flatMap(Raw.init(rawValue:))
  }

  private static func hasTextValue<Raw: RawRepresentable>(_ type: Raw.Type) -> Bool {
    Raw.RawValue.self == String.self
  }
}

extension Codec where Self == StringCodec {
  /// A codec for UTF-8 text.
  public static var string: StringCodec { StringCodec() }
}
