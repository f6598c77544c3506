/// A value of a property list as a decoder reads it: strings, data and elements are not decoded.
enum StoredValue {
  /// A missing value: the null of the binary format, or the text `$null`, which encoders write for
  /// `nil`.
  case null
  case boolean(Bool)
  case integer(Int128)
  case real(Double)
  case date(secondsSince2001: Double)
  case string
  case data
  case uid
  case set
  case array(ElementRange)
  /// A dictionary; the values follow the keys in the range.
  case dictionary(ElementRange)

  /// The type with its article, for errors.
  var name: String {
    switch self {
    case .null: "a null value"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .real: "a real number"
    case .date: "a date"
    case .string: "a string"
    case .data: "a data value"
    case .uid: "a uid"
    case .set: "a set"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }
}

/// The references of a container.
struct ElementRange {
  /// The offset of the first reference in a binary property list, or its position in the table of
  /// an XML document.
  let start: Int
  /// The number of elements, or of pairs of a key and a value.
  let count: Int
}
