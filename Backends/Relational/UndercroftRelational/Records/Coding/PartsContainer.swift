import UndercroftCore

extension ColumnEncoder {
  /// The error that stops the encoding of a value with several parts, such as a struct or an array,
  /// into a single column value.
  ///
  /// `ColumnEncoder.value(of:wrappers:)` catches the error, and encodes the whole value as JSON.
  /// In two cases, there is no property that can be encoded as JSON, and the caller receives the
  /// error. In the first case, `encode(to:)` of the record requests a nested container for one
  /// column. In the second case, the record encodes itself as a list, which has no columns.
  var refusal: StorageError {
    guard let column, let name = column.name else {
      let type = self.column.map { " of the type \($0.record)" } ?? ""
      return StorageError.table(
        """
        cannot encode a value\(type) as columns: the value is a list, whose elements have no names \
        that could be the names of columns
        """,
        suggestion: "encode a struct, or a dictionary with string keys")
    }
    return StorageError.table(
      """
      cannot encode the column \(quoted(name)) of the type \(column.record): a column stores \
      one value, not a nested container or a list
      """,
      suggestion: "encode the property as one Codable value, which is stored as JSON")
  }
}

/// A container that stops the encoding of an array into a single column value.
///
/// Encoding an element throws ``ColumnEncoder/refusal``, so that the array is encoded as JSON
/// instead.
struct PartsContainer: UnkeyedEncodingContainer {
  private let column: ColumnEncoder

  init(of column: ColumnEncoder) { self.column = column }

  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  func encodeNil() throws { throw column.refusal }

  func encode<Value: Encodable>(_ value: Value) throws { throw column.refusal }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(NamedPartsContainer(of: column))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

  func superEncoder() -> any Encoder { column }
}

/// A container that stops the encoding of a value with named parts into a single column value.
///
/// Encoding a part throws ``ColumnEncoder/refusal``, so that the value is encoded as JSON instead.
struct NamedPartsContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let column: ColumnEncoder

  init(of column: ColumnEncoder) { self.column = column }

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { throw column.refusal }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    throw column.refusal
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(NamedPartsContainer<Nested>(of: column))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    PartsContainer(of: column)
  }

  func superEncoder() -> any Encoder { column }

  func superEncoder(forKey key: Key) -> any Encoder { column }
}
