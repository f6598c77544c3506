import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

/// A decoder of one column, for types that have no direct column representation: an enum is decoded
/// from its raw value, and a type with several parts from JSON.
struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  let row: RowDecoder
  let position: Int
  let json: JSONDecoder

  var codingPath: [any CodingKey] { [ColumnKey(name)] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private var name: String { row.names.indices.contains(position) ? row.names[position] : "" }

  // MARK: Single values

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { (try? row.borrowed.column(position).isNull) ?? true }

  func decode(_ type: String.Type) throws -> String { try row.borrowed.column(position).text() }

  func decode(_ type: Int.Type) throws -> Int { try .read(from: row.borrowed.column(position)) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type is any SQLReadable.Type { return try row.value(type, at: position) }
    do {
      return try Value(from: self)
    } catch let error as DecodingError {
      // The message of the original error can contain the stored value.
      throw failure(error.reason, CodingFailure(error))
    }
  }

  // MARK: JSON

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try parsed().container(keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try parsed().unkeyedContainer()
  }

  private func parsed() throws -> any Decoder {
    let column = try row.borrowed.column(position)
    let text = column.type == .blob ? try column.data() : Data(try column.text().utf8)
    do {
      let (text, depth) = try JSONCodec.readable(text)
      try row.requireStack(depth: depth, column: name)
      return try json.decode(Parsed.self, from: text).decoder
    } catch is DecodingError {
      throw failure("the stored value is not JSON")
    }
  }

  private func failure(_ reason: String, _ cause: CodingFailure? = nil) -> StorageError {
    StorageError.table(
      "cannot read the column \(quoted(name)): \(reason)",
      suggestion: DecodingError.suggestion, as: .decodingFailed, underlying: cause)
  }

  /// A `Decodable` type that only stores the decoder passed to `init(from:)`.
  ///
  /// `JSONDecoder` can decode this type from any JSON text. The stored decoder then returns the
  /// keyed or unkeyed container of the text.
  private struct Parsed: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) { self.decoder = decoder }
  }
}

/// A column name as a coding key.
struct ColumnKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension DecodingError {
  /// The recommended action for a stored value that the decoded type rejects.
  fileprivate static let suggestion =
    "correct the stored value, or decode a Swift type that accepts the stored value"

  /// The reason for a failure whose description could contain the stored value.
  private static let rejection = "the Swift type to decode does not accept the stored value"

  /// Returns this error as a storage error whose message does not contain the stored value.
  ///
  /// This error was thrown by the `init(from:)` of a decoded type, and its message can contain the
  /// value.
  ///
  /// - Parameter columns: The names of the columns of the row. The message names the column that
  ///   could not be decoded, if this error identifies the column.
  func withoutValue(columns: [String]) -> StorageError {
    let failure = CodingFailure(self)
    // The coding path of JSON within a column does not start with the column.
    let named = failure.codingPath.first.flatMap { name in
      columns.first { SQLName.isSame($0, name) }
    }
    let column = named ?? (columns.count == 1 ? columns.first : nil)
    let subject = column.map { "the column \(quoted($0))" } ?? "a row"
    let concernsValue = column != nil && failure.codingPath.count <= 1
    let reason = concernsValue ? Self.rejection : "\(failure)"
    return StorageError.table(
      "cannot read \(subject): \(reason)", suggestion: Self.suggestion, as: .decodingFailed,
      underlying: failure)
  }

  /// The reason for the failure, without the stored value.
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(let key, let context):
      "its JSON has no key \(quoted(key.stringValue))\(context.pathDescription)"
    case .valueNotFound(let type, let context):
      "its JSON has no value of the type \(type)\(context.pathDescription)"
    case .typeMismatch(let type, let context):
      "its JSON is not of the type \(type)\(context.pathDescription)"
    case .dataCorrupted(let context):
      "\(Self.rejection)\(context.pathDescription)"
    @unknown default: Self.rejection
    }
  }
}

extension DecodingError.Context {
  fileprivate var pathDescription: String {
    let path = codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
    return path.isEmpty ? "" : " at \(quoted(path.joined(separator: ".")))"
  }
}
