import CSQLite

/// The type of one value in a database.
///
/// In SQLite, the values of one column may be of different types.
public enum SQLType: Sendable, Hashable, CustomStringConvertible {
  /// The type of NULL, the absence of a value.
  case null
  /// A signed 64-bit integer.
  case integer
  /// A 64-bit floating-point number.
  case real
  /// Unicode text.
  case text
  /// A sequence of bytes, which may be empty.
  case blob

  /// Creates the type for a code such as `SQLITE_INTEGER`.
  init(_ code: Int32) {
    switch code {
    case SQLITE_INTEGER: self = .integer
    case SQLITE_FLOAT: self = .real
    case SQLITE_TEXT: self = .text
    case SQLITE_BLOB: self = .blob
    default: self = .null
    }
  }

  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer: "an integer"
    case .real: "a floating-point number"
    case .text: "text"
    case .blob: "a blob"
    }
  }
}
