#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Turns values into bytes and back.
///
/// A codec throws whatever its format throws; the storage wraps that into a ``StorageError`` that names the
/// key and never the value.
public protocol Codec: Sendable {
  /// The stable name, written in the manifest, such as "json".
  var name: String { get }

  /// Returns the bytes of `value`.
  func encode<Value: Encodable>(_ value: Value) throws -> Data

  /// Returns the value that `bytes` stand for.
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value
}
