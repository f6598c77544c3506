import UndercroftCore
import UndercroftSQLite

/// An encoder that collects the properties of one value as column values, keyed by coding key.
final class RowEncoder: Encoder {
  /// The type of the encoded value, for error messages.
  let type: Any.Type
  private(set) var values = ColumnValues()
  private var isKeyed = false
  private var wrappers = 0
  /// The columns for which a type has requested a separate encoder or a nested container.
  ///
  /// The values of these columns are complete only after the type has been encoded.
  private var columns: [(name: String, encoder: ColumnEncoder)] = []

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(of type: Any.Type) { self.type = type }

  /// Returns the collected column values.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the value has no named properties, or if its
  ///   `encode(to:)` has encoded a nested container or a list for one column.
  func result() throws(StorageError) -> ColumnValues {
    guard isKeyed else {
      throw StorageError.table(
        "cannot encode a value of the type \(type) as columns: the value has no named properties",
        suggestion: "encode a struct, or a dictionary with string keys")
    }
    for (name, encoder) in columns {
      if encoder.hasParts { throw encoder.refusal }
      values[name] = encoder.value
    }
    return values
  }

  /// Returns a new encoder for one column.
  ///
  /// ``result()`` collects the value of the column.
  func column(_ name: String) -> ColumnEncoder {
    let encoder = ColumnEncoder(column: name, of: type)
    columns.append((name, encoder))
    return encoder
  }

  func set(_ name: String, to value: SQLValue) { values[name] = value }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    isKeyed = true
    return KeyedEncodingContainer(RowEncodingContainer<Key>(row: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    PartsContainer(of: ColumnEncoder(column: nil, of: type))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { RootContainer(row: self) }

  /// A container for a value that encodes itself as another value, such as a wrapper of a struct.
  ///
  /// If the other value has named properties, these properties become the columns.
  private struct RootContainer: SingleValueEncodingContainer {
    let row: RowEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil() {}

    func encode<Value: Encodable>(_ value: Value) throws {
      // A plain value such as a string would request a single-value container again, without end.
      if value is any SQLBindable { return }
      row.wrappers += 1
      try ColumnEncoder.requireStack(wrappers: row.wrappers, of: Value.self)
      try value.encode(to: row)
    }
  }
}

/// The container that encodes the properties of one type.
///
/// A class and its superclass each have a container.
struct RowEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let row: RowEncoder

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { row.set(key.stringValue, to: .null) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    do {
      row.set(key.stringValue, to: try ColumnEncoder.value(of: value))
    } catch let error as StorageError {
      throw error.naming(column: key.stringValue, of: row.type)
    }
  }

  // The default implementations of the standard library throw for these two types.

  func encode(_ value: Int128, forKey key: Key) throws { try set(value, key) }
  func encode(_ value: UInt128, forKey key: Key) throws { try set(value, key) }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  // The protocol has a separate requirement for each of these types, and default implementations
  // that omit `nil`.

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try set(value, key) }

  private func set(_ value: (some SQLBindable)?, _ key: Key) throws(StorageError) {
    do throws(StorageError) {
      row.set(key.stringValue, to: try value.sqlValue())
    } catch {
      throw error.naming(column: key.stringValue, of: row.type)
    }
  }

  // MARK: Nested values

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    row.column(key.stringValue).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    row.column(key.stringValue).unkeyedContainer()
  }

  /// Returns the encoder of the same row, because the properties
  /// of a superclass are columns of that row.
  func superEncoder() -> any Encoder { row }

  func superEncoder(forKey key: Key) -> any Encoder { row.column(key.stringValue) }
}
