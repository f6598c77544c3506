public import UndercroftCore
public import UndercroftFoundation

/// A type whose values can be bound to the placeholders of a statement.
public protocol SQLBindable {
  /// Returns the SQLite value that represents this value.
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` if SQLite cannot store the value exactly.
  func sqlValue() throws(StorageError) -> SQLValue
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
  public func sqlValue() throws(StorageError) -> SQLValue {
    switch self {
    case .some(let value): try value.sqlValue()
    case .none: .null
    }
  }
}

extension String: SQLBindable {
  public func sqlValue() throws(StorageError) -> SQLValue { .text(self) }
}

extension Data: SQLBindable {
  public func sqlValue() throws(StorageError) -> SQLValue { .blob(self) }
}

extension Bool: SQLBindable {
  public func sqlValue() throws(StorageError) -> SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLBindable {
  public func sqlValue() throws(StorageError) -> SQLValue {
    // SQLite would store NULL instead, without an error.
    guard !isNaN else {
      throw StorageError(
        .encodingFailed,
        "cannot bind a floating-point number: the number is NaN, which SQLite cannot store",
        suggestion: "bind nil for NULL", backend: SQLiteBackend.name)
    }
    return .real(self)
  }
}

extension SQLBindable where Self: FixedWidthInteger {
  public func sqlValue() throws(StorageError) -> SQLValue {
    guard let number = Int64(exactly: self) else {
      throw StorageError(
        .encodingFailed,
        """
        cannot bind a number of the type \(Self.self): the number is outside the range of a \
        signed 64-bit integer, \(Int64.min) to \(Int64.max)
        """,
        suggestion: """
          bind Int64(bitPattern: number) for a UInt64, or bind String(number) and store it in a TEXT \
          column
          """,
        backend: SQLiteBackend.name)
    }
    return .integer(number)
  }
}

extension Int: SQLBindable {}
extension Int64: SQLBindable {}
extension Int32: SQLBindable {}
extension Int16: SQLBindable {}
extension Int8: SQLBindable {}
extension UInt: SQLBindable {}
extension UInt64: SQLBindable {}
extension UInt32: SQLBindable {}
extension UInt16: SQLBindable {}
extension UInt8: SQLBindable {}
