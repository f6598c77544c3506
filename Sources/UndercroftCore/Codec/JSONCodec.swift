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
    let bytes = try Nesting.encoding(value) {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      do {
        return try encoder.encode(value)
      } catch {
        throw DepthProbe.isShallow(value, calls: Nesting.deepest) ? error : Nesting.tooDeep
      }
    }
    guard Nesting.depth(json: bytes) <= Nesting.deepest else { throw Nesting.tooDeep }
    return bytes
  }

  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    if let value = JSONScalar.decode(type, from: bytes) { return value }
    let (text, depth) = try Self.readable(bytes)
    return try Nesting.decoding(depth: depth) { try JSONDecoder().decode(type, from: text) }
  }

  /// Returns JSON in UTF-8 and the number of its levels, as far as Foundation's reader can read it.
  ///
  /// That reader ends the process at a text that is cut off behind the first level too many.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for a text that is nested too deep.
  package static func readable(_ bytes: Data) throws -> (text: Data, depth: Int) {
    let text = try WideText.inUTF8(json: bytes)
    let depth = Nesting.depth(json: text)
    guard depth <= Nesting.deepestRead else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "nested too deep"))
    }
    return (text, depth)
  }
}

extension Codec where Self == JSONCodec {
  /// JSON: readable by every other tool.
  public static var json: JSONCodec { JSONCodec() }
}
