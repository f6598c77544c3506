import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

/// A position between two pages of a query: the values by which
/// the last record of a page was sorted.
///
/// The position remains valid if this record is deleted. A cursor can be encoded, for example for
/// the next request of a client. A cursor is valid only for queries of the same table with the same
/// order.
public struct PageCursor: Sendable, Hashable {
  /// The SQL of the sort order.
  ///
  /// If the query for the next page has another order, the cursor is rejected.
  ///
  /// The SQL is never executed, because a decoded cursor can contain any text.
  let order: String
  let orderValues: [SQLValue]
  /// The values by which the last record of the page was sorted.
  let values: [SQLValue]

  init(of order: SQL, _ values: [SQLValue]) {
    self.order = order.text
    orderValues = order.arguments
    self.values = values
  }

  func isOf(_ order: SQL) -> Bool {
    self.order.isExactly(order.text) && orderValues == order.arguments
  }
}

extension PageCursor: Codable {
  private enum CodingKeys: String, CodingKey {
    case order = "order"
    case orderValues = "order_values"
    case values = "values"
  }

  /// Creates a cursor from its encoded form.
  ///
  /// - Throws: A `DecodingError` if the encoded form is not a valid cursor.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    order = try container.decode(String.self, forKey: .order)
    orderValues = try container.decode([CodedValue].self, forKey: .orderValues).map(\.value)
    values = try container.decode([CodedValue].self, forKey: .values).map(\.value)
  }

  /// Encodes the cursor.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(order, forKey: .order)
    try container.encode(orderValues.map(CodedValue.init), forKey: .orderValues)
    try container.encode(values.map(CodedValue.init), forKey: .values)
  }
}

/// A value of an encoded cursor, as an object with one key that names the type of the value.
private struct CodedValue: Codable {
  private enum CodingKeys: String, CodingKey {
    case null = "null"
    case integer = "integer"
    case real = "real"
    case text = "text"
    case blob = "blob"
  }

  let value: SQLValue

  init(_ value: SQLValue) { self.value = value }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      throw Self.damaged(
        decoder.codingPath, "a key value has \(container.allKeys.count) types instead of 1")
    }
    switch key {
    case .null: value = .null
    case .integer: value = .integer(try container.decode(Int64.self, forKey: key))
    case .real:
      let bits = try container.decode(Int64.self, forKey: key)
      let number = Double(bitPattern: UInt64(bitPattern: bits))
      guard !number.isNaN else {
        throw Self.damaged(decoder.codingPath, "a key value is NaN")
      }
      value = .real(number)
    case .text: value = .text(try container.decode(String.self, forKey: key))
    case .blob:
      guard let data = Data(base64Encoded: try container.decode(String.self, forKey: key)) else {
        throw Self.damaged(decoder.codingPath, "a key value of the type BLOB is not in Base64")
      }
      value = .blob(data)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch value {
    case .null: try container.encode(true, forKey: .null)
    case .integer(let number): try container.encode(number, forKey: .integer)
    // The bit pattern is encoded, because it is exact in every format, and because JSON cannot
    // represent infinity.
    case .real(let number):
      try container.encode(Int64(bitPattern: number.bitPattern), forKey: .real)
    case .text(let text): try container.encode(text, forKey: .text)
    case .blob(let data): try container.encode(data.base64EncodedString(), forKey: .blob)
    }
  }

  private static func damaged(_ path: [any CodingKey], _ reason: String) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: path,
        debugDescription:
          "cannot decode a page cursor: \(reason); fetch the first page without a cursor"))
  }
}
