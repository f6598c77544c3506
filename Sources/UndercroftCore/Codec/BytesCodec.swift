public import UndercroftFoundation

/// A codec that stores bytes unchanged, for values of type `Data`, `[UInt8]` and their optionals.
public struct BytesCodec: Codec {
  /// Creates a codec that stores bytes unchanged.
  public init() {}

  public var name: String { "bytes" }

  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    if let bytes = value as? Data { return bytes }
    if let bytes = value as? [UInt8] { return Data(bytes) }
    throw StorageError(
      .encodingFailed,
      "the codec \(quoted(name)) stores only Data and [UInt8], and \(Value.self) is neither",
      suggestion: "declare the StorageKey with another codec, such as .json", backend: name)
  }

  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    // The types are the same, so reinterpreting the bits is safe;
    // a cast would take longer than reading a cached value.
    if type == Data.self { return unsafeBitCast(bytes, to: Value.self) }
    return try cast(bytes)
  }

  /// Converts the bytes to `Value`, or throws an error if the type is not supported.
  ///
  /// The function is not inlined, because ``decode(_:from:)`` would
  /// otherwise load the type metadata for the casts on every call.
  @inline(never)
  private func cast<Value: Decodable>(_ bytes: Data) throws -> Value {
    if let value = bytes as? Value { return value }
    if let value = Array(bytes) as? Value { return value }
    throw StorageError(
      .decodingFailed,
      "the codec \(quoted(name)) reads only Data and [UInt8], and \(Value.self) is neither",
      suggestion: "read the value as Data, or with the codec that encoded the value", backend: name)
  }
}

extension Codec where Self == BytesCodec {
  /// A codec that stores bytes unchanged.
  public static var bytes: BytesCodec { BytesCodec() }
}
