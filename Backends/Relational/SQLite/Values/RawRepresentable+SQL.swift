public import UndercroftCore

// An enum or another type with raw values says that it is kept as its raw value by naming the protocols:
// `enum Genre: String, SQLBindable, SQLReadable`. No type is kept so without being asked.

extension SQLBindable where Self: RawRepresentable, RawValue: SQLBindable {
  /// Returns its raw value.
  public func sqlValue() throws(StorageError) -> SQLValue { try rawValue.sqlValue() }
}

extension SQLReadable where Self: RawRepresentable, RawValue: SQLReadable {
  /// Reads a raw value; one that stands for no case is an error.
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Self {
    guard let value = Self(rawValue: try RawValue.read(from: column)) else {
      throw column.failure("the raw value is none of \(Self.self)")
    }
    return value
  }
}
