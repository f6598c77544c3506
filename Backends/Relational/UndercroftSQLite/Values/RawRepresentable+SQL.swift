public import UndercroftCore

// An enum or another type with raw values is stored as its raw value if it declares conformance:
// `enum Genre: String, SQLBindable, SQLReadable`. No type is stored this way by default.

extension SQLBindable where Self: RawRepresentable, RawValue: SQLBindable {
  /// Returns the SQL value of the raw value.
  public func sqlValue() throws(StorageError) -> SQLValue { try rawValue.sqlValue() }
}

extension SQLReadable where Self: RawRepresentable, RawValue: SQLReadable {
  /// Reads a raw value, and throws ``StorageError/Code/decodingFailed`` if no case has the raw
  /// value.
  @inlinable
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Self {
    guard let value = Self(rawValue: try RawValue.read(from: column)) else {
      throw column.failure("the value is not a raw value of the type \(Self.self)")
    }
    return value
  }
}
