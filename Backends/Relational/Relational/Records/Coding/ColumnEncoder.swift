import UndercroftCore
import UndercroftSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Takes the one value that a property is kept as, or finds that it has parts and must be kept as JSON.
final class ColumnEncoder: Encoder, SingleValueEncodingContainer {
  private(set) var value: SQLValue?
  private(set) var hasParts = false

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns what a column keeps of a property.
  static func value<Value: Encodable>(of property: Value) throws -> SQLValue {
    if let property = property as? any SQLBindable { return try property.sqlValue() }
    let encoder = ColumnEncoder()
    do {
      try property.encode(to: encoder)
    } catch  where encoder.hasParts {
      // It had to stop there.
    }
    if let value = encoder.value, !encoder.hasParts { return value }
    let json = JSONEncoder()
    json.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return .text(String(decoding: try json.encode(property), as: UTF8.self))
    } catch is EncodingError {
      throw StorageError(
        .encodingFailed, "cannot keep a \(Value.self): JSON cannot hold it exactly",
        cure: "leave out numbers that are not finite", backend: "sqlite")
    }
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { value = .null }

  func encode<Value: Encodable>(_ value: Value) throws { self.value = try Self.value(of: value) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    hasParts = true
    return KeyedEncodingContainer(NamedPartsContainer<Key>(of: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    hasParts = true
    return PartsContainer(of: self)
  }
}
