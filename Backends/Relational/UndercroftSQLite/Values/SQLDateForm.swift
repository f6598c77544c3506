public import UndercroftCore
public import UndercroftFoundation

/// The form in which a column stores dates.
///
/// Other programs that use the same file may require a particular form.
public enum SQLDateForm: Sendable, Hashable {
  /// Text in UTC to the nearest millisecond, `2026-11-21 10:38:07.123`, for the years 0000 to 9999.
  ///
  /// This is the default form of a `Date`.
  case text
  /// Seconds since 1970 as a floating-point number.
  ///
  /// In this century the error is less than a microsecond.
  case secondsSince1970
  /// Whole milliseconds since 1970 as an integer.
  ///
  /// A date with a fraction of a millisecond is rounded to the nearest millisecond.
  case millisecondsSince1970

  /// Returns the value that SQLite stores for a date.
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` for a date outside of the range of this form.
  public func value(of date: Date) throws(StorageError) -> SQLValue {
    switch self {
    case .text:
      guard let milliseconds = Self.milliseconds(date),
        let text = CivilTime(milliseconds: milliseconds).text
      else { throw outOfRange }
      return .text(text)
    case .secondsSince1970:
      guard date.timeIntervalSince1970.isFinite else { throw outOfRange }
      return .real(date.timeIntervalSince1970)
    case .millisecondsSince1970:
      guard let milliseconds = Self.milliseconds(date) else { throw outOfRange }
      return .integer(milliseconds)
    }
  }

  func read(_ column: borrowing SQLColumn) throws(StorageError) -> Date {
    switch self {
    case .text:
      let text = try column.text()
      guard let date = CivilTime.date(text) else {
        throw column.failure(
          "the text is not a date of the form 2026-11-21 10:38:07.123",
          suggestion: "correct the stored value, or read the value with another SQLDateForm")
      }
      return date
    case .secondsSince1970:
      let seconds = try column.real()
      guard seconds.isFinite else {
        throw column.failure("the number of seconds since 1970 is infinite, but a Date is finite")
      }
      return Date(timeIntervalSince1970: seconds)
    case .millisecondsSince1970:
      let (sum, hasOverflow) = try column.integer().subtractingReportingOverflow(
        CivilTime.referenceMilliseconds)
      guard !hasOverflow else {
        let minimum = Int64.min + CivilTime.referenceMilliseconds
        throw column.failure(
          "the number of milliseconds since 1970 is less than the minimum \(minimum)")
      }
      return Date(timeIntervalSinceReferenceDate: Double(sum) / 1000)
    }
  }

  /// Returns the milliseconds since 1970, or `nil` if the number does not fit in a 64-bit integer.
  private static func milliseconds(_ date: Date) -> Int64? {
    // The number is computed from the reference date of `Date`, 2001, so that a date of whole
    // milliseconds loses no precision.
    let reference = (date.timeIntervalSinceReferenceDate * 1000).rounded()
    guard let number = Int64(exactly: reference) else { return nil }
    let (sum, hasOverflow) = number.addingReportingOverflow(CivilTime.referenceMilliseconds)
    return hasOverflow ? nil : sum
  }

  private var outOfRange: StorageError {
    let reason =
      switch self {
      case .text: "this form allows only the years 0000 to 9999"
      case .secondsSince1970: "the number of seconds since 1970 is not finite"
      case .millisecondsSince1970:
        """
        the number of milliseconds since 1970 is not finite, or does not fit in a signed 64-bit \
        integer
        """
      }
    return StorageError(
      .encodingFailed, "cannot bind a date in the form SQLDateForm.\(self): \(reason)",
      suggestion: "bind a date in the years 0000 to 9999, or nil for NULL",
      backend: SQLiteBackend.name)
  }

  /// A date that is bound to a placeholder in the given form.
  struct Bound: SQLBindable {
    let date: Date?
    let form: SQLDateForm

    func sqlValue() throws(StorageError) -> SQLValue {
      try date.map { (date) throws(StorageError) in try form.value(of: date) } ?? .null
    }
  }
}
