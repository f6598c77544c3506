import UndercroftCore
import UndercroftSQLite

/// Takes the one value that a property is kept as, or finds that it has parts and must be kept as JSON.
final class ColumnEncoder: Encoder, SingleValueEncodingContainer {
  private(set) var value: SQLValue?
  private(set) var hasParts = false
  /// How many values this one is wrapped in, each of which is encoded as nothing but the next.
  private let wrappers: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(wrappers: Int = 0) { self.wrappers = wrappers }

  /// Returns what a column keeps of a property.
  static func value<Value: Encodable>(of property: Value, wrappers: Int = 0) throws -> SQLValue {
    if let property = property as? any SQLBindable { return try property.sqlValue() }
    try requireStack(wrappers: wrappers)
    let encoder = ColumnEncoder(wrappers: wrappers)
    do {
      try property.encode(to: encoder)
    } catch  where encoder.hasParts {
      // It had to stop there.
    }
    if let value = encoder.value, !encoder.hasParts { return value }
    return try json(property)
  }

  /// Returns JSON with sorted keys.
  static func json<Value: Encodable>(_ value: Value) throws(StorageError) -> SQLValue {
    do {
      return .text(String(decoding: try JSONCodec().encode(value), as: UTF8.self))
    } catch let error as StorageError {
      throw StorageError(
        error.code, "cannot encode a \(Value.self) as JSON: \(error.message)", backend: "sqlite",
        underlying: error)
    } catch {
      throw StorageError(
        .encodingFailed,
        "cannot encode a \(Value.self) as JSON: JSON cannot hold it exactly",
        cure: "leave out numbers that are not finite", backend: "sqlite",
        underlying: CodingFailure(error))
    }
  }

  /// Refuses a value that wraps another one more often than the stack has room for.
  static func requireStack(wrappers: Int) throws(StorageError) {
    if wrappers <= Nesting.shallow { return }
    throw StorageError(
      .encodingFailed,
      "cannot encode a value: it is wrapped in more than \(Nesting.shallow) others",
      cure: "encode the innermost value", backend: "sqlite")
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
