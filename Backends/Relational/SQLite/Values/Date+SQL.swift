public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Date: SQLBindable, SQLReadable {
  /// Returns text in UTC to the nearest millisecond, `2026-11-21 10:38:07.123`, which sorts and which SQLite's date functions read.
  ///
  /// For another form see ``SQLDateForm``.
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` outside of the years 0000 to 9999.
  public func sqlValue() throws(StorageError) -> SQLValue { try SQLDateForm.text.value(of: self) }

  /// Reads text in ISO 8601 as SQLite knows it: `2026-11-21`, then perhaps ` 10:38` or `T10:38`, `:07`, `.123`, and `Z` or `+02:00`.
  ///
  /// A number is not read: it could be seconds, milliseconds or days. Name its form with ``Row/date(at:as:)``.
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Date {
    try SQLDateForm.text.read(column)
  }
}

extension SQL.Interpolation {
  /// Binds a date in a form of your choice, or NULL for `nil`.
  public mutating func appendInterpolation(_ date: Date?, as form: SQLDateForm) {
    appendInterpolation(SQLDateForm.Bound(date: date, form: form))
  }
}

extension Row {
  /// Returns the date that the column at `position` holds in the form named, or `nil` for NULL.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for a value of another form.
  public func date(at position: Int, as form: SQLDateForm) throws(StorageError) -> Date? {
    let column = try column(position)
    return column.isNull ? nil : try form.read(column)
  }
}
