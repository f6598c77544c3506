public import UndercroftCore
public import UndercroftFoundation

/// A value that SQLite can store, in one of its five storage classes.
public enum SQLValue: Sendable, Hashable {
  /// NULL, the absence of a value.
  ///
  /// NULL differs from an empty text and an empty blob.
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
  /// Like SQLite, this operator compares text by bytes, so canonically equivalent strings can
  /// differ.
  public static func == (lhs: SQLValue, rhs: SQLValue) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.integer(let lhs), .integer(let rhs)): lhs == rhs
    case (.real(let lhs), .real(let rhs)): lhs == rhs
    case (.text(let lhs), .text(let rhs)): lhs.utf8.elementsEqual(rhs.utf8)
    case (.blob(let lhs), .blob(let rhs)): lhs == rhs
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
