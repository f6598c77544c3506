public import UndercroftFoundation

/// A codec for JSON with sorted keys.
///
/// Dates are stored as seconds since 2001, exact to the bit, and data as Base64.
public struct JSONCodec: Codec {
  /// Creates a JSON codec.
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
        throw DepthProbe.isShallow(value, calls: Nesting.maximumEncodedDepth)
          ? error : Nesting.tooDeep
      }
    }
    guard Nesting.depth(json: bytes) <= Nesting.maximumEncodedDepth else { throw Nesting.tooDeep }
    return bytes
  }

  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    if let value = JSONScalar.decode(type, from: bytes) { return value }
    let (text, depth) = try Self.readable(bytes)
    return try Nesting.decoding(depth: depth) { try JSONDecoder().decode(type, from: text) }
  }

  /// Returns the JSON in UTF-8, and the number of its nested levels.
  ///
  /// The number is 0 for text that is too short to need a large stack
  /// (``Nesting/depth(json:)``). Foundation's parser crashes on text that is
  /// truncated directly after the start of the first level above the parser's
  /// limit. This function therefore rejects text that is nested too deeply.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the text is
  ///   nested too deeply, or is invalid UTF-16 or UTF-32.
  package static func readable(_ bytes: Data) throws -> (text: Data, depth: Int) {
    let text = try WideText.inUTF8(json: bytes)
    let depth = Nesting.depth(json: text)
    guard depth <= Nesting.maximumDecodedDepth else {
      throw DecodingError.rejected(
        RejectedBytes(
          reason: "the JSON is nested more than \(Nesting.maximumDecodedDepth) levels deep",
          suggestion: RejectedBytes.flattening))
    }
    return (text, depth)
  }
}

extension Codec where Self == JSONCodec {
  /// A codec for JSON, which most other tools can read.
  public static var json: JSONCodec { JSONCodec() }
}
