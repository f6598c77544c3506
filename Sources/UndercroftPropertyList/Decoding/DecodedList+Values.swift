import UndercroftFoundation

extension DecodedList {
  /// Decodes a value of any type.
  ///
  /// The types of a property list and those of their elements are decoded without a decoder, which
  /// would need a node of a path and three more calls for each element of an array.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - number: the number of the object.
  ///   - path: the path to the value, which is not needed for a scalar.
  @inline(__always)
  func decode<Value: Decodable>(
    _ type: Value.Type, at number: Int, path: @autoclosure () -> CodingPath?
  ) throws -> Value {
    do throws(ValueFailure) {
      if let scalar = try scalar(type, at: number) { return scalar }
    } catch {
      throw error.decodingError(type, at: path()?.keys ?? [])
    }
    return try Value(from: PropertyListValueDecoder(list: self, number: number, path: path()))
  }

  /// Returns a value of a type that a property list contains, or `nil` for another type.
  ///
  /// Each cast of bits is between the same types, and a conditional cast would take longer.
  func scalar<Value>(_ type: Value.Type, at number: Int) throws(ValueFailure) -> Value? {
    if type == String.self {
      return unsafeBitCast(try string(try stored(at: number), at: number), to: type)
    }
    if type == Int.self { return unsafeBitCast(try integer(at: number) as Int, to: type) }
    if type == Double.self { return unsafeBitCast(try double(try stored(at: number)), to: type) }
    if type == Bool.self { return unsafeBitCast(try boolean(try stored(at: number)), to: type) }
    if type == Date.self { return unsafeBitCast(try date(try stored(at: number)), to: type) }
    if type == Data.self {
      return unsafeBitCast(try data(try stored(at: number), at: number), to: type)
    }
    if type == Float.self {
      return unsafeBitCast(try float(try stored(at: number), at: number), to: type)
    }
    if type == UInt8.self { return unsafeBitCast(try integer(at: number) as UInt8, to: type) }
    if type == Int32.self { return unsafeBitCast(try integer(at: number) as Int32, to: type) }
    if type == Int64.self { return unsafeBitCast(try integer(at: number) as Int64, to: type) }
    if type == UInt64.self { return unsafeBitCast(try integer(at: number) as UInt64, to: type) }
    return nil
  }

  private func integer<Integer: FixedWidthInteger>(
    at number: Int
  ) throws(ValueFailure) -> Integer {
    try integer(try stored(at: number))
  }

  /// Returns the keys and values of a dictionary.
  func keyedContainer<Key: CodingKey>(
    _ type: Key.Type, at number: Int, path: CodingPath?
  ) throws -> KeyedDecodingContainer<Key> {
    do throws(ValueFailure) {
      let value = try stored(at: number)
      guard case .dictionary(let range) = value else { throw mismatch(value) }
      let keys: KeyTable
      do { keys = try self.keys(of: range) } catch { throw .damaged(error) }
      return KeyedDecodingContainer(
        KeyedListContainer(list: self, range: range, keys: keys, path: path))
    } catch {
      throw error.decodingError([String: Any].self, at: path?.keys ?? [])
    }
  }

  /// Returns the elements of an array.
  func unkeyedContainer(at number: Int, path: CodingPath?) throws -> UnkeyedListContainer {
    do throws(ValueFailure) {
      let value = try stored(at: number)
      guard case .array(let range) = value else { throw mismatch(value) }
      return UnkeyedListContainer(list: self, range: range, path: path)
    } catch {
      throw error.decodingError([Any].self, at: path?.keys ?? [])
    }
  }
}
