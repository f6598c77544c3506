import UndercroftFoundation

/// The keys and values of a dictionary.
struct KeyedListContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let list: DecodedList
  let range: ElementRange
  let keys: KeyTable
  let path: CodingPath?

  var codingPath: [any CodingKey] { path?.keys ?? [] }

  var allKeys: [Key] { keys.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { keys.position(of: key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    if case .null = try value(at: try number(key), key) { true } else { false }
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try list.decode(type, at: try number(key), path: CodingPath(path, key))
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let number = try numberIfPresent(key) else { return nil }
    if case .null = try value(at: number, key) { return nil }
    return try list.decode(type, at: number, path: CodingPath(path, key))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try list.keyedContainer(type, at: try number(key), path: CodingPath(path, key))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try list.unkeyedContainer(at: try number(key), path: CodingPath(path, key))
  }

  func superDecoder() throws -> any Decoder { try decoder(SuperclassKey.superclass) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  /// Returns a decoder of a value, or of null if the key is missing.
  private func decoder(_ key: any CodingKey) throws -> PropertyListValueDecoder {
    PropertyListValueDecoder(
      list: list, number: try numberIfPresent(key) ?? DecodedList.missing,
      path: CodingPath(path, key))
  }

  // MARK: Values

  /// Returns the number of a value, or `nil` if the key is missing.
  func numberIfPresent(_ key: some CodingKey) throws -> Int? {
    guard let position = keys.position(of: key.stringValue) else { return nil }
    do { return try list.element(range.count + position, of: range) } catch {
      throw error.decodingError(at: CodingPath(path, key).keys)
    }
  }

  /// Returns the number of a value.
  ///
  /// - Throws: `DecodingError.keyNotFound` if the key is missing.
  func number(_ key: Key) throws -> Int {
    if let number = try numberIfPresent(key) { return number }
    throw DecodingError.keyNotFound(
      key,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
  }

  func value(at number: Int, _ key: Key) throws -> StoredValue {
    do { return try list.value(at: number) } catch {
      throw error.decodingError(at: CodingPath(path, key).keys)
    }
  }
}
