public import UndercroftFoundation

/// A value of a property list.
///
/// The elements of a container are references, which `PropertyListDocument.value(at:)` decodes.
public enum PropertyListValue: Sendable {
  /// A missing value, which only binary property lists contain.
  case null
  case boolean(Bool)
  /// An integer; binary property lists contain at most 128 bits.
  case integer(Int128)
  case real(Double)
  /// A date as seconds since 2001-01-01T00:00:00Z, which may be outside of all calendars or NaN.
  case date(secondsSince2001: Double)
  /// Bytes; in a binary property list, the bytes are a slice of the bytes of the document.
  case data(Data)
  case string(String)
  /// The number of an object of a keyed archive.
  case uid(UInt64)
  case array(PropertyListReferences)
  /// A set or an ordered set, whose elements may be repeated in a damaged file.
  case set(PropertyListReferences)
  /// A dictionary, whose keys have the order of the file and may be repeated.
  ///
  /// Both collections have the same number of elements. Keys of damaged files may be values
  /// other than strings.
  case dictionary(keys: PropertyListReferences, values: PropertyListReferences)
}

extension PropertyListValue: CustomStringConvertible {
  /// The value on one line: a scalar in full, but only the size of data and containers.
  public var description: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .date(let seconds): PropertyListDate.text(secondsSince2001: seconds)
    case .data(let bytes): "\(bytes.count) bytes"
    case .string(let text): text
    case .uid(let number): "UID(\(number))"
    case .array(let elements): "array of \(elements.count)"
    case .set(let elements): "set of \(elements.count)"
    case .dictionary(let keys, _): "dictionary of \(keys.count)"
    }
  }
}
