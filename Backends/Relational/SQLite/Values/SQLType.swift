import CSQLite

/// The type of one value, which in SQLite belongs to the value and not to its column.
public enum SQLType: Sendable, Hashable, CustomStringConvertible {
  /// No value.
  case null
  /// A signed integer of 64 bits.
  case integer
  /// A floating-point number of 64 bits.
  case real
  /// Text.
  case text
  /// Bytes, even none.
  case blob

  /// Translates `SQLITE_INTEGER` and its like.
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
