public import UndercroftCore
public import UndercroftFoundation

/// A value of a column that is synchronised: any value that SQLite can store, or an encrypted
/// value.
public enum SyncValue: Sendable, Hashable {
  /// NULL, the absence of a value.
  case null
  /// A signed 64-bit integer.
  case integer(Int64)
  /// A 64-bit floating-point number; NaN is sent as ``null``, because SQLite stores NULL for it.
  case real(Double)
  /// Unicode text, including NUL characters.
  case text(String)
  /// The bytes of a text value that is not valid UTF-8.
  ///
  /// SQLite does not validate text, so a column of any type can contain such a value.
  case malformedText(Data)
  /// A sequence of bytes, which may be empty.
  case blob(Data)
  /// A value that cannot be read without a key, such as in a conflict that the server has stored.
  ///
  /// SQLite never stores such a value in a table of the application.
  case encrypted(EncryptedValue)

  /// Creates ``text(_:)`` from valid UTF-8, and ``malformedText(_:)`` from any other bytes.
  public init(textBytes: Data) {
    self =
      String(validating: textBytes, as: UTF8.self).map { .text($0) } ?? .malformedText(textBytes)
  }
}

extension SyncValue {
  /// Returns whether two values have the same type and the same bytes.
  ///
  /// So `-0.0` and `0.0` differ, and so do canonically equivalent texts.
  public static func == (lhs: SyncValue, rhs: SyncValue) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.integer(let lhs), .integer(let rhs)): lhs == rhs
    case (.real(let lhs), .real(let rhs)): lhs.bitPattern == rhs.bitPattern
    case (.text(let lhs), .text(let rhs)): ExactString(lhs) == ExactString(rhs)
    case (.malformedText(let lhs), .malformedText(let rhs)): lhs == rhs
    case (.blob(let lhs), .blob(let rhs)): lhs == rhs
    case (.encrypted(let lhs), .encrypted(let rhs)): lhs == rhs
    default: false
    }
  }

  /// Hashes the type and the bytes of the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let integer): hasher.combine(integer)
    case .real(let real): hasher.combine(real.bitPattern)
    case .text(let text): hasher.combine(ExactString(text))
    case .malformedText(let bytes), .blob(let bytes): hasher.combine(bytes)
    case .encrypted(let value): hasher.combine(value)
    }
  }

  /// The value as SQLite stores it: NULL instead of NaN.
  package var stored: SyncValue {
    if case .real(let real) = self, real.isNaN { return .null }
    return self
  }
}

/// The values of some columns of a row, by the name of the column.
public typealias FieldValues = [ExactString: SyncValue]

/// The values or the changes of some counters of a row, by the name of the column.
public typealias CounterValues = [ExactString: Int64]
