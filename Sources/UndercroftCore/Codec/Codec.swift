public import UndercroftFoundation

/// An encoder of values as bytes, which also decodes the bytes.
///
/// A codec may throw any error of its format. The storage wraps the
/// error in a ``StorageError`` that names the key and never the value.
///
/// A codec needs no registration. The inspector shows text as it is; for
/// another form, add a case to `ValueText.readable` of UndercroftInspection.
public protocol Codec: Sendable {
  /// The stable name that the manifest stores, such as "json".
  var name: String { get }

  /// Returns the encoded bytes of `value`.
  func encode<Value: Encodable>(_ value: Value) throws -> Data

  /// Returns the value that `bytes` encode.
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value
}
