#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// JSON with sorted keys; dates as seconds since 2001 (exact to the bit), data as Base64.
public struct JSONCodec: Codec {
  /// Makes the codec.
  public init() {}

  public var name: String { "json" }

  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    if let bytes = JSONScalar.encode(value) { return bytes }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = try encoder.encode(value)
    guard Nesting.isReadable(json: bytes) else { throw Nesting.tooDeep }
    return bytes
  }

  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    if let value = JSONScalar.decode(type, from: bytes) { return value }
    return try JSONDecoder().decode(type, from: bytes)
  }
}

extension Codec where Self == JSONCodec {
  /// JSON: readable by every other tool.
  public static var json: JSONCodec { JSONCodec() }
}
