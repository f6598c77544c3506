import UndercroftFoundation

/// The elements of an array.
struct UnkeyedListContainer: UnkeyedDecodingContainer {
  let list: DecodedList
  let range: ElementRange
  let path: CodingPath?
  private(set) var currentIndex = 0

  init(list: DecodedList, range: ElementRange, path: CodingPath?) {
    self.list = list
    self.range = range
    self.path = path
  }

  var codingPath: [any CodingKey] { path?.keys ?? [] }
  var count: Int? { range.count }
  var isAtEnd: Bool { currentIndex >= range.count }

  /// Returns the number of the next element.
  ///
  /// - Parameters:
  ///   - type: the requested type.
  ///   - request: the request as a clause of an error.
  private func number(
    _ type: any Any.Type, _ request: StaticString = "the next element"
  ) throws -> Int {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: CodingPath(path, ElementKey(currentIndex)).keys,
          debugDescription: "Cannot get \(request) -- unkeyed container is at end."))
    }
    do { return try list.element(currentIndex, of: range) } catch {
      throw error.decodingError(at: CodingPath(path, ElementKey(currentIndex)).keys)
    }
  }

  mutating func decodeNil() throws -> Bool {
    let number = try number(Never.self)
    do {
      guard case .null = try list.value(at: number) else { return false }
    } catch {
      throw error.decodingError(at: CodingPath(path, ElementKey(currentIndex)).keys)
    }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let number = try number(type)
    let value = try list.decode(
      type, at: number, path: CodingPath(path, ElementKey(currentIndex)))
    currentIndex += 1
    return value
  }

  mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    if isAtEnd { return nil }
    return try decodeNil() ? nil : try decode(type)
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    let number = try number(KeyedDecodingContainer<Key>.self, "nested keyed container")
    let container = try list.keyedContainer(
      type, at: number, path: CodingPath(path, ElementKey(currentIndex)))
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let number = try number((any UnkeyedDecodingContainer).self, "nested unkeyed container")
    let container = try list.unkeyedContainer(
      at: number, path: CodingPath(path, ElementKey(currentIndex)))
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let number = try number((any UnkeyedDecodingContainer).self, "superDecoder()")
    let decoder = PropertyListValueDecoder(
      list: list, number: number, path: CodingPath(path, ElementKey(currentIndex)))
    currentIndex += 1
    return decoder
  }
}
