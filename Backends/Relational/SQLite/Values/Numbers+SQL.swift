public import UndercroftCore

extension Float: SQLBindable, SQLReadable {
  /// Returns the same number with 64 bits; NaN is refused.
  public func sqlValue() throws(StorageError) -> SQLValue { try Double(self).sqlValue() }

  /// Reads a number that has no more digits than a `Float`.
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Float {
    guard let number = Float(exactly: try column.real()) else {
      throw column.failure("the number has more digits than a Float")
    }
    return number
  }
}

extension Int128: SQLBindable, SQLReadable {}
extension UInt128: SQLBindable, SQLReadable {}
