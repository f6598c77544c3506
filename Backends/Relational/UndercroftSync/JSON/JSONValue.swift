package import UndercroftCore

/// A JSON value of a message. (RFC 8259)
///
/// Unlike `JSONDecoder`, this type distinguishes `1` from `1.0`, which SQLite stores differently,
/// and compares the names of members by their bytes.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent, from -2^53 to 2^53.
  case integer(Int64)
  /// A number with a fraction or an exponent.
  case real(Double)
  /// A number that neither ``integer(_:)`` nor ``real(_:)`` represents, because it is out of range.
  case numberOutOfRange
  case string(String)
  case array([JSONValue])
  case object([ExactString: JSONValue])

  /// The integers that JSON parsers of all languages represent exactly.
  package static let exactIntegers: ClosedRange<Int64> = -(1 << 53)...(1 << 53)
}

extension JSONValue {
  /// The name of the type of this value in error messages.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .integer: "an integer"
    case .real: "a number with a fraction or an exponent"
    case .numberOutOfRange: "a number out of range"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
