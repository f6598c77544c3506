public import UndercroftFoundation

/// A codec for UTF-8 text, for values of type `String`,
/// types with a `String` raw value, and their optionals.
public struct StringCodec: Codec {
  /// Creates the codec.
  public init() {}

  public var name: String { "string" }

  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    if let text = value as? String { return Data(text.utf8) }
    if let text = (value as? any RawRepresentable)?.rawValue as? String { return Data(text.utf8) }
    throw StorageError(
      .encodingFailed,
      """
      cannot store \(Value.self) as text: the type is neither a String nor a type with a String \
      raw value
      """,
      suggestion: "use another codec for values of this type", backend: name)
  }

  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw StorageError(
        .decodingFailed, "cannot read text: the bytes are not UTF-8", backend: name)
    }
    if let value = text as? Value { return value }
    let plain = (type as? any OptionalValue.Type)?.wrappedType ?? type
    if let rawType = plain as? any RawRepresentable.Type, let value = Self.value(rawType, text),
      let result = value as? Value
    {
      return result
    }
    throw StorageError(
      .decodingFailed,
      """
      cannot read text as \(Value.self): the type has no String form, or does not accept this text
      """,
      suggestion: "use another codec for values of this type",
      backend: name)
  }

  private static func value<Raw: RawRepresentable>(_ type: Raw.Type, _ text: String) -> Raw? {
    (text as? Raw.RawValue).flatMap(Raw.init(rawValue:))
  }
}

extension Codec where Self == StringCodec {
  /// A codec for UTF-8 text.
  public static var string: StringCodec { StringCodec() }
}
