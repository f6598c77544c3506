public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value as SQLite keeps it: one of its five storage classes.
public enum SQLValue: Sendable, Hashable {
  /// The absence of a value; not the same as an empty text or an empty blob.
  case null
  /// A signed integer of 64 bits.
  case integer(Int64)
  /// A floating-point number of 64 bits; SQLite cannot keep NaN.
  case real(Double)
  /// Text of any Unicode, NUL characters included.
  case text(String)
  /// Bytes.
  case blob(Data)
}

extension SQLValue: SQLBindable, SQLReadable {
  public func sqlValue() throws(StorageError) -> SQLValue { self }

  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> SQLValue {
    try column.value()
  }
}
