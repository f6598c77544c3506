#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Bytes as they are; for values of type `Data` or `[UInt8]`, optional or not.
public struct BytesCodec: Codec {
  /// Makes the codec.
  public init() {}

  public var name: String { "bytes" }

  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    if let bytes = value as? Data { return bytes }
    if let bytes = value as? [UInt8] { return Data(bytes) }
    throw StorageError(
      .encodingFailed, "cannot keep \(Value.self) as bytes: it is neither Data nor [UInt8]",
      cure: "use another codec", backend: name)
  }

  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    // The same type, so the bits are the same; a cast would cost more than reading a hot value.
    if type == Data.self { return unsafeBitCast(bytes, to: Value.self) }
    return try cast(bytes)
  }

  /// Apart from ``decode(_:from:)``, which would else look up the types of these casts each time.
  @inline(never)
  private func cast<Value: Decodable>(_ bytes: Data) throws -> Value {
    if let value = bytes as? Value { return value }
    if let value = Array(bytes) as? Value { return value }
    throw StorageError(
      .decodingFailed, "cannot read bytes as \(Value.self): it is neither Data nor [UInt8]",
      cure: "use another codec", backend: name)
  }
}

extension Codec where Self == BytesCodec {
  /// Bytes as they are.
  public static var bytes: BytesCodec { BytesCodec() }
}
