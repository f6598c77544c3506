import UndercroftSQLite

/// Encodes the properties of `Encodable` values as column values by name.
///
/// A property whose type a column supports is stored as by ``Column``, an enum as its
/// raw value, and a property with several parts (an array, a dictionary, a struct) as
/// JSON with sorted keys. A `nil` property becomes NULL and is not omitted.
public struct ColumnValuesEncoder: Sendable {
  /// Creates an encoder, which can be used any number of times.
  public init() {}

  /// Returns the properties of a value by their coding keys.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the value has no named properties,
  ///   ``StorageError/Code/encodingFailed`` if SQLite cannot store a property exactly.
  public func encode(_ value: some Encodable) throws -> ColumnValues {
    let encoder = RowEncoder()
    try value.encode(to: encoder)
    return try encoder.result()
  }
}
