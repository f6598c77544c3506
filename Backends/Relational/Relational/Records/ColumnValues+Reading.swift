import UndercroftCore
public import UndercroftSQLite

extension ColumnValues {
  /// Reads a value into a property, which stays as it is when the column is not named: `try values.read("title", into: &title)`.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for a value of another type.
  public func read<Value: SQLReadable>(_ name: String, into property: inout Value) throws {
    guard let value = self[name] else { return }
    property = try KeptColumn(name, value).read()
  }

  /// Returns a value as the type asked for, or `nil` when the column is not named or has no value.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for a value of another type.
  public func value<Value: SQLReadable>(
    of name: String, as type: Value.Type = Value.self
  ) throws -> Value? {
    guard let value = self[name], value != .null else { return nil }
    return try KeptColumn(name, value).read()
  }
}
