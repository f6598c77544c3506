import UndercroftSQLite

/// An encoder of `Encodable` values as ``ColumnValues``, keyed by the coding keys of the
/// properties.
///
/// A property whose type ``Column`` supports is stored in the same form as in a declared
/// ``Column``. An enum is stored as its raw value. An array, dictionary or struct is stored as JSON
/// with sorted keys. `nil` is stored as NULL, not omitted.
public struct ColumnValuesEncoder: Sendable {
  /// Creates an encoder, which can be reused.
  public init() {}

  /// Returns the properties of a value as column values, keyed by their coding keys.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the value has no named properties,
  ///   ``StorageError/Code/encodingFailed`` if SQLite cannot store a property exactly.
  public func encode(_ value: some Encodable) throws -> ColumnValues {
    let encoder = RowEncoder(of: Swift.type(of: value))
    try value.encode(to: encoder)
    return try encoder.result()
  }
}
