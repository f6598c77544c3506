import UndercroftFoundation

/// An encoder that writes nothing and measures how deeply the calls of `encode(to:)` are nested.
///
/// The probe determines whether a value fits on the stack before Foundation's
/// recursive encoder runs. Probing takes about a tenth of the time of encoding.
struct DepthProbe: Encoder {
  private struct TooDeep: Error {}

  fileprivate final class Count {
    private var calls = 0
    private let maximum: Int

    init(maximum: Int) { self.maximum = maximum }

    func visit<Value: Encodable>(_ value: Value) throws {
      if Self.isLeaf(Value.self) { return }
      if calls == maximum { throw TooDeep() }
      calls += 1
      try value.encode(to: DepthProbe(count: self))
      calls -= 1
    }

    /// Returns whether a type is known to have no nested
    /// values except elements such as strings and numbers.
    ///
    /// The probe does not visit values of such a type, because arrays may have many elements.
    static func isLeaf<Value>(_ type: Value.Type) -> Bool {
      type == String.self || type == Data.self || type == Date.self || type == [UInt8].self
        || type == [String].self || type == [Int].self || type == [Double].self
    }
  }

  fileprivate let count: Count

  /// Returns whether encoding `value` nests at most `calls` calls of `encode(to:)`.
  ///
  /// If the value itself throws an error, this function ignores the error
  /// and returns `true`, because the real encoder throws the error again.
  static func isShallow<Value: Encodable>(_ value: Value, calls: Int) -> Bool {
    if Count.isLeaf(Value.self) { return true }
    do {
      try Count(maximum: calls).visit(value)
    } catch is TooDeep {
      return false
    } catch {}
    return true
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(ProbeFields(count: count))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { ProbeElements(count: count) }

  func singleValueContainer() -> any SingleValueEncodingContainer { ProbeValue(count: count) }
}

private struct ProbeFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let count: DepthProbe.Count
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) {}
  func encode(_ value: Bool, forKey key: Key) {}
  func encode(_ value: String, forKey key: Key) {}
  func encode(_ value: Double, forKey key: Key) {}
  func encode(_ value: Float, forKey key: Key) {}
  func encode(_ value: Int, forKey key: Key) {}
  func encode(_ value: Int8, forKey key: Key) {}
  func encode(_ value: Int16, forKey key: Key) {}
  func encode(_ value: Int32, forKey key: Key) {}
  func encode(_ value: Int64, forKey key: Key) {}
  func encode(_ value: Int128, forKey key: Key) {}
  func encode(_ value: UInt, forKey key: Key) {}
  func encode(_ value: UInt8, forKey key: Key) {}
  func encode(_ value: UInt16, forKey key: Key) {}
  func encode(_ value: UInt32, forKey key: Key) {}
  func encode(_ value: UInt64, forKey key: Key) {}
  func encode(_ value: UInt128, forKey key: Key) {}
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try count.visit(value)
  }

  func nestedContainer<Other: CodingKey>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> {
    KeyedEncodingContainer(ProbeFields<Other>(count: count))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ProbeElements(count: count)
  }

  func superEncoder() -> any Encoder { DepthProbe(count: count) }
  func superEncoder(forKey key: Key) -> any Encoder { DepthProbe(count: count) }
}

private struct ProbeElements: UnkeyedEncodingContainer {
  let probe: DepthProbe.Count
  var codingPath: [any CodingKey] { [] }
  private(set) var count = 0

  init(count: DepthProbe.Count) { probe = count }

  mutating func encodeNil() { count += 1 }
  mutating func encode(_ value: Bool) { count += 1 }
  mutating func encode(_ value: String) { count += 1 }
  mutating func encode(_ value: Double) { count += 1 }
  mutating func encode(_ value: Float) { count += 1 }
  mutating func encode(_ value: Int) { count += 1 }
  mutating func encode(_ value: Int8) { count += 1 }
  mutating func encode(_ value: Int16) { count += 1 }
  mutating func encode(_ value: Int32) { count += 1 }
  mutating func encode(_ value: Int64) { count += 1 }
  mutating func encode(_ value: Int128) { count += 1 }
  mutating func encode(_ value: UInt) { count += 1 }
  mutating func encode(_ value: UInt8) { count += 1 }
  mutating func encode(_ value: UInt16) { count += 1 }
  mutating func encode(_ value: UInt32) { count += 1 }
  mutating func encode(_ value: UInt64) { count += 1 }
  mutating func encode(_ value: UInt128) { count += 1 }
  mutating func encode<Value: Encodable>(_ value: Value) throws {
    count += 1
    try probe.visit(value)
  }

  mutating func nestedContainer<Other: CodingKey>(
    keyedBy type: Other.Type
  ) -> KeyedEncodingContainer<Other> {
    count += 1
    return KeyedEncodingContainer(ProbeFields<Other>(count: probe))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    count += 1
    return ProbeElements(count: probe)
  }

  mutating func superEncoder() -> any Encoder {
    count += 1
    return DepthProbe(count: probe)
  }
}

private struct ProbeValue: SingleValueEncodingContainer {
  let count: DepthProbe.Count
  var codingPath: [any CodingKey] { [] }

  func encodeNil() {}
  func encode(_ value: Bool) {}
  func encode(_ value: String) {}
  func encode(_ value: Double) {}
  func encode(_ value: Float) {}
  func encode(_ value: Int) {}
  func encode(_ value: Int8) {}
  func encode(_ value: Int16) {}
  func encode(_ value: Int32) {}
  func encode(_ value: Int64) {}
  func encode(_ value: Int128) {}
  func encode(_ value: UInt) {}
  func encode(_ value: UInt8) {}
  func encode(_ value: UInt16) {}
  func encode(_ value: UInt32) {}
  func encode(_ value: UInt64) {}
  func encode(_ value: UInt128) {}
  func encode<Value: Encodable>(_ value: Value) throws { try count.visit(value) }
}
