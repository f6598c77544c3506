import UndercroftCore
import UndercroftSQLite

/// A decoder of `Decodable` types from ``ColumnValues``, with the same rules as ``Row/decode(_:)``.
public struct ColumnValuesDecoder: Sendable {
  /// Creates a decoder, which can be reused.
  public init() {}

  /// Decodes a value of the given type from column values.
  ///
  /// Names that match no property are ignored. An optional property without a column is decoded as
  /// `nil`.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a required column is missing,
  ///   ``StorageError/Code/decodingFailed`` if a value does not have the type of the property.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from values: ColumnValues
  ) throws -> Value {
    let decoder = RowDecoder()
    defer { decoder.end() }
    return try decoder.decode(type, from: values.values.map { OwnedColumn($0.key.text, $0.value) })
  }
}
