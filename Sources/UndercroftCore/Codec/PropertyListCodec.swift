public import UndercroftFoundation
import UndercroftPropertyList

/// A codec for property lists, binary or XML, which all Apple tools and many other tools read.
///
/// A property list cannot consist of a single string, number or date.
/// Such a value is stored in a dictionary under the single key `value`.
///
/// The codec writes with Foundation's encoder, and reads with a reader of this package that
/// verifies every offset. The values are those of Foundation's decoder. Damage is an error that
/// states its position.
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
    guard bytes.count > Nesting.maximumEncodedDepth * bytesPerLevel else { return bytes }
    let depth: Int
    do throws(PropertyListError) {
      depth = try PropertyListDocument(bytes).nestingDepth()
    } catch {
      throw StorageError(
        .encodingFailed, "Foundation wrote a property list that cannot be read: \(error.clause)",
        backend: name)
    }
    guard depth <= Nesting.maximumEncodedDepth else { throw Nesting.tooDeep }
    return bytes
  }

  /// The minimum size of a level: `<array></array>`, or an object of two bytes and its offset.
  private var bytesPerLevel: Int { format == .xml ? 15 : 3 }

  private func plist<Value: Encodable>(of value: Value) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format == .xml ? .xml : .binary
    if Fragment<Value>.isRequired { return try encoder.encode(Fragment(value: value)) }
    do {
      return try encoder.encode(value)
    } catch let error as EncodingError {
      // A type may encode itself as a single string or number. Only an attempt can show this.
      guard let bytes = try? encoder.encode(Fragment(value: value)) else { throw error }
      return bytes
    }
  }

  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    if !PropertyListDocument.isDocument(bytes) {
      let list = try OldStylePropertyList(bytes)
      return try Nesting.decoding(depth: list.maximumDepth) { try Self.value(type, in: list) }
    }
    let list: PropertyListDocument
    let depth: Int
    do throws(PropertyListError) {
      list = try PropertyListDocument(bytes)
      depth = try list.nestingDepth()
    } catch {
      throw error.decodingError()
    }
    guard depth <= Nesting.maximumListDepth else {
      throw DecodingError.rejected(
        RejectedBytes(
          reason: "the property list is nested more than \(Nesting.maximumListDepth) levels deep",
          suggestion: RejectedBytes.flattening))
    }
    return try Nesting.decoding(depth: depth) { try Self.value(type, in: list) }
  }

  /// Returns the value of a property list, or the only value of its dictionary.
  private static func value<Value: Decodable>(
    _ type: Value.Type, in list: some DecodablePropertyList
  ) throws -> Value {
    if Fragment<Value>.isRequired, let fragment = try? list.decode(Fragment<Value>.self) {
      return fragment.value
    }
    do {
      return try list.decode(type)
    } catch {
      guard !Fragment<Value>.isRequired, let fragment = try? list.decode(Fragment<Value>.self)
      else { throw error }
      return fragment.value
    }
  }
}

/// A property list in any form, from which values are decoded.
protocol DecodablePropertyList {
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value
}

extension PropertyListDocument: DecodablePropertyList {}

private struct Fragment<Value> {
  let value: Value

  enum CodingKeys: String, CodingKey {
    case value = "value"
  }

  /// Whether values of the type are always stored as fragments.
  static var isRequired: Bool {
    let type = Value.self
    return type == String.self || type == Int.self || type == Bool.self || type == Double.self
      || type == Date.self || type == Data.self
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
