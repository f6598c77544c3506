public import UndercroftCore
public import UndercroftFoundation

extension Date: SQLBindable, SQLReadable {
  /// Returns the date as text in UTC, to the nearest
  /// millisecond, such as `2026-11-21 10:38:07.123`.
  ///
  /// The text sorts by time, and SQLite's date functions can read it.
  /// For other forms see ``SQLDateForm``.
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` outside of the years 0000 to 9999.
  public func sqlValue() throws(StorageError) -> SQLValue { try SQLDateForm.text.value(of: self) }

  /// Reads a date from text in the ISO 8601 forms that SQLite accepts.
  ///
  /// The form is `2026-11-21`, optionally followed by ` 10:38` or `T10:38`, then by `:07`, then by
  /// `.123`, and by `Z` or an offset such as `+02:00`.
  ///
  /// A number is not accepted, because it could be seconds, milliseconds or days. Read a number
  /// with ``Row/date(at:as:)``, which specifies the form.
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Date {
    try SQLDateForm.text.read(column)
  }
}

extension SQL.Interpolation {
  /// Binds a date in the given form, or NULL for `nil`.
  public mutating func appendInterpolation(_ date: Date?, as form: SQLDateForm) {
    appendInterpolation(SQLDateForm.Bound(date: date, form: form))
  }
}

extension Row {
  /// Returns the date that the column at `position` contains in the given form, or `nil` for NULL.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for a value of another form.
  ///   ``StorageError/Code/misuse`` if the row has no such column.
  public func date(at position: Int, as form: SQLDateForm) throws(StorageError) -> Date? {
    let column = try column(position)
    return column.isNull ? nil : try form.read(column)
  }
}
