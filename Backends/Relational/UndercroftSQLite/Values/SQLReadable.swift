public import UndercroftCore
public import UndercroftFoundation

/// A type whose values can be read from a column of a row without loss.
public protocol SQLReadable {
  /// Returns the value that the column contains.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the column contains no value of this type.
  static func read(from column: borrowing SQLColumn) throws(StorageError) -> Self
}

extension Optional: SQLReadable where Wrapped: SQLReadable {
  @inlinable
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Wrapped? {
    column.isNull ? nil : try Wrapped.read(from: column)
  }
}

extension String: SQLReadable {
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> String {
    try column.text()
  }
}

extension Data: SQLReadable {
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Data {
    try column.data()
  }
}

extension Double: SQLReadable {
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Double {
    try column.real()
  }
}

extension Bool: SQLReadable {
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Bool {
    switch try column.integer() {
    case 0: return false
    case 1: return true
    default: throw column.failure("expected 0 or 1 for a Bool, found another integer")
    }
  }
}

extension SQLReadable where Self: FixedWidthInteger {
  @inlinable
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Self {
    guard let number = Self(exactly: try column.integer()) else {
      throw column.failure(
        "the integer is outside of the range of \(Self.self), \(Self.min) to \(Self.max)")
    }
    return number
  }
}

extension Int: SQLReadable {}
extension Int64: SQLReadable {}
extension Int32: SQLReadable {}
extension Int16: SQLReadable {}
extension Int8: SQLReadable {}
extension UInt: SQLReadable {}
extension UInt64: SQLReadable {}
extension UInt32: SQLReadable {}
extension UInt16: SQLReadable {}
extension UInt8: SQLReadable {}
