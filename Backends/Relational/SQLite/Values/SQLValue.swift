public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value that SQLite can store, in one of its five storage classes.
public enum SQLValue: Sendable, Hashable {
  /// NULL, the absence of a value.
  ///
  /// It differs from an empty text and an empty blob.
  case null
  /// A signed 64-bit integer.
  case integer(Int64)
  /// A 64-bit floating-point number.
  ///
  /// SQLite cannot store NaN.
  case real(Double)
  /// Unicode text, including NUL characters.
  case text(String)
  /// A sequence of bytes, which may be empty.
  case blob(Data)
}

extension SQLValue {
  /// Returns whether two values are equal.
  ///
  /// Like SQLite, it compares texts by their bytes, so canonically equivalent texts can differ.
  public static func == (one: SQLValue, other: SQLValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.blob(let one), .blob(let other)): one == other
    default: false
    }
  }
}

extension SQLValue: SQLBindable, SQLReadable {
  public func sqlValue() throws(StorageError) -> SQLValue { self }

  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> SQLValue {
    try column.value()
  }
}
