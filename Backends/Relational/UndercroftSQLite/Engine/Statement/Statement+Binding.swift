public import UndercroftCore
public import UndercroftFoundation

// Overloads for values that are not optional, which need no check for `nil`. Placeholders are
// numbered from 1.

extension Statement {
  /// Binds NULL to the placeholder at `position`, counted from 1: `bind(nil, at: 1)`.
  /// (`sqlite3_bind_null`)
  ///
  /// - Throws: ``StorageError/Code/misuse`` if there is no such placeholder. Every overload throws
  ///   this error.
  public func bind(_ null: SQLNull, at position: Int) throws(StorageError) {
    try bind(SQLValue.null, at: Int32(clamping: position))
  }

  /// Binds text to the placeholder at `position`, counted from 1. (`sqlite3_bind_text64`)
  public func bind(_ text: String, at position: Int) throws(StorageError) {
    try bind(text, at: Int32(clamping: position))
  }

  /// Binds an integer to the placeholder at `position`, counted from 1. (`sqlite3_bind_int64`)
  public func bind(_ number: Int64, at position: Int) throws(StorageError) {
    try bind(SQLValue.integer(number), at: Int32(clamping: position))
  }

  /// Binds an integer to the placeholder at `position`, counted from 1. (`sqlite3_bind_int64`)
  public func bind(_ number: Int, at position: Int) throws(StorageError) {
    try bind(SQLValue.integer(Int64(number)), at: Int32(clamping: position))
  }

  /// Binds a floating-point number to the placeholder at `position`, counted from 1.
  /// (`sqlite3_bind_double`)
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` for NaN, which SQLite cannot store.
  public func bind(_ number: Double, at position: Int) throws(StorageError) {
    try bind(try number.sqlValue(), at: Int32(clamping: position))
  }

  /// Binds a boolean, as 1 or 0, to the placeholder at `position`, counted from 1.
  public func bind(_ flag: Bool, at position: Int) throws(StorageError) {
    try bind(SQLValue.integer(flag ? 1 : 0), at: Int32(clamping: position))
  }

  /// Binds bytes to the placeholder at `position`, counted from 1. (`sqlite3_bind_blob64`)
  public func bind(_ bytes: Data, at position: Int) throws(StorageError) {
    try bind(bytes, at: Int32(clamping: position))
  }
}
