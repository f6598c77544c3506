import UndercroftCore
import UndercroftSQLite

/// A decoding container of the columns of a row, keyed by the names of a type's properties.
struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: RowDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { (try? row.position(of: key.stringValue)) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try required(key).isNull }

  // The overloads for the most common types avoid the dynamic casts of the generic method.

  func decode(_ type: String.Type, forKey key: Key) throws -> String { try required(key).text() }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try required(key).integer() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try required(key).real() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try .read(from: required(key)) }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try .read(from: required(key)) }

  // The default implementations of the standard library throw for these two types.

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try .read(from: required(key))
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try .read(from: required(key))
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try row.value(type, at: row.requiredPosition(of: key.stringValue))
  }

  // A missing column is decoded as `nil`.

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try present(key) { column in try column.text() }
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try present(key) { column in try column.integer() }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try present(key) { column in try column.real() }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try present(key) { column in try Int.read(from: column) }
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try present(key) { column in try Bool.read(from: column) }
  }

  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try present(key) { column in try Int128.read(from: column) }
  }

  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try present(key) { column in try UInt128.read(from: column) }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let position = try row.position(of: key.stringValue),
      try !row.borrowed.column(position).isNull
    else { return nil }
    return try row.value(type, at: position)
  }

  // MARK: Nested values in one column

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try column(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try column(key).unkeyedContainer()
  }

  /// Returns the decoder of the same row, because the properties
  /// of a superclass are columns of that row.
  func superDecoder() -> any Decoder { row }

  func superDecoder(forKey key: Key) throws -> any Decoder { try column(key) }

  private func column(_ key: Key) throws -> ColumnDecoder {
    try row.column(row.requiredPosition(of: key.stringValue))
  }

  // MARK: Columns

  @inline(__always)
  private func required(_ key: Key) throws(StorageError) -> SQLColumn {
    try row.borrowed.column(row.requiredPosition(of: key.stringValue))
  }

  @inline(__always)
  private func present<Value>(
    _ key: Key, _ read: (borrowing SQLColumn) throws -> Value
  ) throws -> Value? {
    guard let position = try row.position(of: key.stringValue) else { return nil }
    let column = try row.borrowed.column(position)
    return column.isNull ? nil : try read(column)
  }
}
