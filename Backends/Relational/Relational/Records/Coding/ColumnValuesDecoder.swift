import UndercroftCore
import UndercroftSQLite

/// Makes values of `Decodable` types of values by the names of columns, exactly as of a row.
public struct ColumnValuesDecoder: Sendable {
  /// Makes one, which may be used any number of times.
  public init() {}

  /// Makes a value; a name that no property asks for is passed over, and one that is missing is `nil` where that is allowed.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a missing name, ``StorageError/Code/decodingFailed`` for a value of another type.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from values: ColumnValues
  ) throws -> Value {
    let decoder = RowDecoder()
    defer { decoder.end() }
    return try decoder.decode(type, from: values.values.map { KeptColumn($0.key.text, $0.value) })
  }
}
