#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Property lists, binary or XML, which every Apple tool and many others read.
///
/// The format cannot hold a text, a number or a date by itself, so such a value is kept in a dictionary under the
/// one key `value`.
public struct PropertyListCodec: Codec {
  /// How a property list is written.
  public enum Format: String, Sendable {
    /// Compact.
    case binary
    /// Readable by people.
    case xml
  }

  /// How property lists are written; both are read.
  public let format: Format

  /// Makes the codec.
  public init(_ format: Format = .binary) { self.format = format }

  public var name: String { "plist-\(format)" }

  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    let bytes = try Nesting.encoding(value) { try plist(of: value) }
    guard let depth = try? PropertyListShape.depth(of: bytes).get(), depth <= Nesting.deepest
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
      // A type of the caller's own may be coded as one text or number; nothing but trying tells.
      guard let bytes = try? encoder.encode(Fragment(value: value)) else { throw error }
      return bytes
    }
  }

  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    let (bytes, depth) = try Self.measured(bytes)
    return try Nesting.decoding(depth: depth) { try plist(type, from: bytes) }
  }

  /// Returns what Foundation may read, and its number of levels.
  private static func measured(_ bytes: Data) throws -> (bytes: Data, depth: Int) {
    do throws(PropertyListDefect) {
      guard let bytes = PropertyListShape.inUTF8(bytes) else { throw .notText }
      return (bytes, try PropertyListShape.depth(of: bytes).get())
    } catch {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: error.rawValue))
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
}

extension Fragment: Encodable where Value: Encodable {}
extension Fragment: Decodable where Value: Decodable {}

extension Codec where Self == PropertyListCodec {
  /// Property lists in XML: the form that people and other tools read.
  public static var propertyList: PropertyListCodec { PropertyListCodec(.xml) }

  /// Property lists in the compact binary form.
  public static var binaryPropertyList: PropertyListCodec { PropertyListCodec(.binary) }
}
