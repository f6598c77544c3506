public import UndercroftCore

extension Float: SQLBindable, SQLReadable {
  /// Returns the same number as a `Double`,
  /// and throws ``StorageError/Code/encodingFailed`` for NaN.
  public func sqlValue() throws(StorageError) -> SQLValue { try Double(self).sqlValue() }

  /// Reads a number, and throws ``StorageError/Code/decodingFailed`` if a
  /// `Float` cannot represent it exactly.
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Float {
    guard let number = Float(exactly: try column.real()) else {
      throw column.failure(
        "a Float cannot represent the number exactly", suggestion: "read the value as a Double")
    }
    return number
  }
}

extension Int128: SQLBindable, SQLReadable {}
extension UInt128: SQLBindable, SQLReadable {}
