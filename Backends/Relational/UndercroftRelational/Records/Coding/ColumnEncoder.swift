import UndercroftCore
import UndercroftSQLite

/// An encoder that encodes a property as a single column value, or detects that the property has
/// several parts and must be stored as JSON.
final class ColumnEncoder: Encoder, SingleValueEncodingContainer {
  private(set) var value: SQLValue?
  private(set) var hasParts = false
  /// The number of enclosing values that encode only the value inside them, such as a type with a
  /// raw value.
  private let wrappers: Int
  /// The column and the type of its record, or `nil` if the encoder encodes no column of a record.
  ///
  /// The name is `nil` if the record encodes itself as a list, which has no columns.
  let column: (name: String?, record: Any.Type)?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(wrappers: Int = 0) { (self.wrappers, column) = (wrappers, nil) }

  init(column name: String?, of record: Any.Type) { (wrappers, column) = (0, (name, record)) }

  /// Returns the column value that stores a property.
  ///
  /// - Parameter wrappers: The number of enclosing values that encode only the value inside them,
  ///   such as a type with a raw value.
  static func value<Value: Encodable>(of property: Value, wrappers: Int = 0) throws -> SQLValue {
    if let property = property as? any SQLBindable { return try property.sqlValue() }
    try requireStack(wrappers: wrappers, of: Value.self)
    let encoder = ColumnEncoder(wrappers: wrappers)
    do {
      try property.encode(to: encoder)
    } catch  where encoder.hasParts {
      // The container threw this error to stop the encoding of a value with several parts.
    }
    if let value = encoder.value, !encoder.hasParts { return value }
    return try json(property)
  }

  /// Returns a value as JSON text with sorted keys.
  static func json<Value: Encodable>(_ value: Value) throws(StorageError) -> SQLValue {
    do {
      return .text(String(decoding: try JSONCodec().encode(value), as: UTF8.self))
    } catch let error as StorageError {
      throw error.within("cannot encode a value of the type \(Value.self) as JSON")
        .caused(by: error)
    } catch {
      let failure = CodingFailure(error)
      let (reason, suggestion) =
        failure.kind == .unencodable
        ? (
          "JSON cannot represent the value exactly",
          "replace infinite numbers and NaN in the value by nil or by finite numbers"
        )
        : ("\(failure)", "correct the function encode(to:) that threw the error")
      throw StorageError.table(
        "cannot encode a value of the type \(Value.self) as JSON: \(reason)",
        suggestion: suggestion, as: .encodingFailed, underlying: failure)
    }
  }

  /// Verifies that a value is not wrapped in so many other values that encoding would overflow the
  /// stack.
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` for more than
  ///   `Nesting.maximumCallerStackDepth` wrappers.
  static func requireStack(wrappers: Int, of type: Any.Type) throws(StorageError) {
    if wrappers <= Nesting.maximumCallerStackDepth { return }
    throw StorageError.table(
      """
      cannot encode a value of the type \(type): the value is nested in more than \
      \(Nesting.maximumCallerStackDepth) other values
      """,
      suggestion: "let encode(to:) encode the innermost value directly", as: .encodingFailed)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { value = .null }

  func encode<Value: Encodable>(_ value: Value) throws {
    self.value = try Self.value(of: value, wrappers: wrappers + 1)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    hasParts = true
    return KeyedEncodingContainer(NamedPartsContainer<Key>(of: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    hasParts = true
    return PartsContainer(of: self)
  }
}
