import UndercroftCore
public import UndercroftSQLite

extension ColumnValues {
  /// Reads a value into a property, as in `try values.read("title", into: &title)`.
  ///
  /// If the column is missing, the property remains unchanged.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the stored value cannot be read as `Value`.
  public func read<Value: SQLReadable>(_ name: String, into property: inout Value) throws {
    guard let value = self[name] else { return }
    property = try OwnedColumn(name, value).read()
  }

  /// Returns a value as the requested type, or `nil` if the column is missing or NULL.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the stored value cannot be read as `Value`.
  public func value<Value: SQLReadable>(
    of name: String, as type: Value.Type = Value.self
  ) throws -> Value? {
    guard let value = self[name], value != .null else { return nil }
    return try OwnedColumn(name, value).read()
  }
}
