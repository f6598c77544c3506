public import UndercroftFoundation

/// A conversion of values to bytes and back, such as JSON.
///
/// A codec may throw any error of its format. The storage wraps the
/// error in a ``StorageError`` that names the key and never the value.
///
/// A codec needs no registration. The inspector formats JSON and binary
/// property lists, and shows other text unchanged. To format another
/// encoding, add a case to `ValueText.readable` of UndercroftInspection.
public protocol Codec: Sendable {
  /// The stable name that the manifest stores, such as "json".
  var name: String { get }

  /// Returns the encoded bytes of `value`.
  func encode<Value: Encodable>(_ value: Value) throws -> Data

  /// Returns the value that `bytes` encode.
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value
}
