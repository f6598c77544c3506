import UndercroftFoundation

/// The methods for the types that a property list contains.
///
/// Without them, the standard library would decode each value with a decoder.
extension KeyedListContainer {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key, list.boolean) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try read(key, list.integer) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try read(key, list.integer) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try read(key, list.integer) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try read(key, list.integer) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try read(key, list.integer) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try read(key, list.integer) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try read(key, list.integer) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try read(key, list.integer)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try read(key, list.integer)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try read(key, list.integer)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key, list.double) }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try read(key) { value, number throws(ValueFailure) in try list.float(value, at: number) }
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try read(key) { value, number throws(ValueFailure) in try list.string(value, at: number) }
  }

  @inline(__always)
  private func read<Value>(
    _ key: Key, _ convert: (StoredValue) throws(ValueFailure) -> Value
  ) throws -> Value {
    try read(key) { value, _ throws(ValueFailure) in try convert(value) }
  }

  @inline(__always)
  private func read<Value>(
    _ key: Key, _ convert: (StoredValue, Int) throws(ValueFailure) -> Value
  ) throws -> Value {
    let number = try number(key)
    do throws(ValueFailure) {
      return try convert(try list.stored(at: number), number)
    } catch {
      throw error.decodingError(Value.self, at: CodingPath(path, key).keys)
    }
  }
}

/// The same methods for optional values, which search a key once instead of three times.
extension KeyedListContainer {
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try readIfPresent(key, list.boolean)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try readIfPresent(key, list.integer)
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try readIfPresent(key, list.integer)
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try readIfPresent(key, list.integer)
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try readIfPresent(key, list.integer)
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try readIfPresent(key, list.integer)
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try readIfPresent(key, list.integer)
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try readIfPresent(key, list.integer)
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try readIfPresent(key, list.integer)
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try readIfPresent(key, list.integer)
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try readIfPresent(key, list.integer)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try readIfPresent(key, list.double)
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try readIfPresent(key) { value, number throws(ValueFailure) in
      try list.float(value, at: number)
    }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try readIfPresent(key) { value, number throws(ValueFailure) in
      try list.string(value, at: number)
    }
  }

  @inline(__always)
  private func readIfPresent<Value>(
    _ key: Key, _ convert: (StoredValue) throws(ValueFailure) -> Value
  ) throws -> Value? {
    try readIfPresent(key) { value, _ throws(ValueFailure) in try convert(value) }
  }

  @inline(__always)
  private func readIfPresent<Value>(
    _ key: Key, _ convert: (StoredValue, Int) throws(ValueFailure) -> Value
  ) throws -> Value? {
    guard let number = try numberIfPresent(key) else { return nil }
    do throws(ValueFailure) {
      let value = try list.stored(at: number)
      if case .null = value { return nil }
      return try convert(value, number)
    } catch {
      throw error.decodingError(Value.self, at: CodingPath(path, key).keys)
    }
  }
}
