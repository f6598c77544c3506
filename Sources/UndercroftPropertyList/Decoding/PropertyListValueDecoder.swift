import UndercroftFoundation

/// A decoder of one value of a property list, with the rules of Foundation's decoder.
///
/// The value has three words, so that `any Decoder` stores it without an allocation.
struct PropertyListValueDecoder: Decoder {
  let list: DecodedList
  let number: Int
  let path: CodingPath?

  var codingPath: [any CodingKey] { path?.keys ?? [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try list.keyedContainer(type, at: number, path: path)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try list.unkeyedContainer(at: number, path: path)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension PropertyListValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    // A damaged value is reported by the next call.
    if case .null = try? list.value(at: number) { true } else { false }
  }

  func decode(_ type: Bool.Type) throws -> Bool { try read(type, list.boolean) }
  func decode(_ type: Int.Type) throws -> Int { try read(type, list.integer) }
  func decode(_ type: Int8.Type) throws -> Int8 { try read(type, list.integer) }
  func decode(_ type: Int16.Type) throws -> Int16 { try read(type, list.integer) }
  func decode(_ type: Int32.Type) throws -> Int32 { try read(type, list.integer) }
  func decode(_ type: Int64.Type) throws -> Int64 { try read(type, list.integer) }
  func decode(_ type: UInt.Type) throws -> UInt { try read(type, list.integer) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try read(type, list.integer) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try read(type, list.integer) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try read(type, list.integer) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try read(type, list.integer) }
  func decode(_ type: Double.Type) throws -> Double { try read(type, list.double) }

  func decode(_ type: Float.Type) throws -> Float {
    try read(type) { value throws(ValueFailure) in try list.float(value, at: number) }
  }

  func decode(_ type: String.Type) throws -> String {
    try read(type) { value throws(ValueFailure) in try list.string(value, at: number) }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try list.decode(type, at: number, path: path)
  }

  @inline(__always)
  private func read<Value>(
    _ type: Value.Type, _ convert: (StoredValue) throws(ValueFailure) -> Value
  ) throws -> Value {
    do throws(ValueFailure) {
      return try convert(try list.stored(at: number))
    } catch {
      throw error.decodingError(type, at: codingPath)
    }
  }
}
