public import UndercroftFoundation

/// A codec for property lists, binary or XML, which all Apple tools and many other tools read.
///
/// A property list cannot consist of a single string, number or date.
/// Such a value is stored in a dictionary under the single key `value`.
public struct PropertyListCodec: Codec {
  /// The format in which a property list is written.
  public enum Format: String, Sendable {
    /// The compact binary format.
    case binary = "binary"
    /// The XML format, which people can read.
    case xml = "xml"
  }

  /// The format in which property lists are written; both formats are read.
  public let format: Format

  /// Creates a codec that writes property lists in `format`.
  public init(_ format: Format = .binary) { self.format = format }

  public var name: String { "plist-\(format.rawValue)" }

  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    let bytes = try Nesting.encoding(value) { try plist(of: value) }
    guard let depth = try? PropertyListShape.depth(of: bytes).get(),
      depth <= Nesting.maximumEncodedDepth
    else {
      throw Nesting.tooDeep
    }
    return bytes
  }

  private func plist<Value: Encodable>(of value: Value) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format == .xml ? .xml : .binary
    if Self.isFragment(Value.self) { return try encoder.encode(Fragment(value: value)) }
    do {
      return try encoder.encode(value)
    } catch let error as EncodingError {
      // A type may encode itself as a single string or number. Only an attempt can show this.
      guard let bytes = try? encoder.encode(Fragment(value: value)) else { throw error }
      return bytes
    }
  }

  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    let (bytes, depth) = try Self.measured(bytes)
    return try Nesting.decoding(depth: depth) { try plist(type, from: bytes) }
  }

  /// Returns the property list and the number of its nested levels.
  ///
  /// UTF-16 text is converted to UTF-8.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if Foundation
  ///   could crash while it reads the property list.
  private static func measured(_ bytes: Data) throws -> (bytes: Data, depth: Int) {
    do throws(PropertyListDefect) {
      guard let bytes = PropertyListShape.inUTF8(bytes) else { throw .notText }
      return (bytes, try PropertyListShape.depth(of: bytes).get())
    } catch {
      throw DecodingError.rejected(
        RejectedBytes(
          reason: error.reason,
          suggestion: error == .tooDeep ? RejectedBytes.flattening : RejectedBytes.replacing))
    }
  }

  private func plist<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    let decoder = PropertyListDecoder()
    do {
      return try decoder.decode(type, from: bytes)
    } catch {
      guard let fragment = try? decoder.decode(Fragment<Value>.self, from: bytes) else {
        throw error
      }
      return fragment.value
    }
  }

  private static func isFragment(_ type: Any.Type) -> Bool {
    type == String.self || type == Int.self || type == Bool.self || type == Double.self
      || type == Date.self || type == Data.self
  }
}

private struct Fragment<Value> {
  let value: Value

  enum CodingKeys: String, CodingKey {
    case value = "value"
  }
}

extension Fragment: Encodable where Value: Encodable {}
extension Fragment: Decodable where Value: Decodable {}

extension Codec where Self == PropertyListCodec {
  /// A codec for property lists in XML, which people and other tools can read.
  public static var propertyList: PropertyListCodec { PropertyListCodec(.xml) }

  /// A codec for property lists in the compact binary format.
  public static var binaryPropertyList: PropertyListCodec { PropertyListCodec(.binary) }
}
