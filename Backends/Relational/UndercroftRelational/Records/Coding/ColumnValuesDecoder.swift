import UndercroftCore
import UndercroftSQLite

/// A decoder of `Decodable` types from ``ColumnValues``, with the same rules as for a row.
public struct ColumnValuesDecoder: Sendable {
  /// Creates a decoder, which can be used any number of times.
  public init() {}

  /// Decodes a value.
  ///
  /// Ignores names that no property has. An optional property without a column becomes `nil`.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a required column is missing,
  ///   ``StorageError/Code/decodingFailed`` if a value has another type.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from values: ColumnValues
  ) throws -> Value {
    let decoder = RowDecoder()
    defer { decoder.end() }
    return try decoder.decode(type, from: values.values.map { OwnedColumn($0.key.text, $0.value) })
  }
}
