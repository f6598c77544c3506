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

extension SQLValue {
  /// Texts are compared by their bytes, as by SQLite: two that look the same may be two keys.
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
