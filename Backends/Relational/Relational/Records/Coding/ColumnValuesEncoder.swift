import UndercroftSQLite

/// Takes the properties of `Encodable` values as values by the names of columns.
///
/// What a column can hold is kept as ``Column`` keeps it, an enum as its raw value, and anything with parts (lists, dictionaries, structs)
/// as JSON with sorted keys. A property that is `nil` is NULL, and not left out.
public struct ColumnValuesEncoder: Sendable {
  /// Makes one, which may be used any number of times.
  public init() {}

  /// Returns what a value shows, every property by its coding key.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a value without named properties, ``StorageError/Code/encodingFailed`` for what SQLite
  ///   cannot keep exactly.
  public func encode(_ value: some Encodable) throws -> ColumnValues {
    let encoder = RowEncoder()
    try value.encode(to: encoder)
    return try encoder.result()
  }
}
