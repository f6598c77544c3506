public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How a date is kept in a column: what other programs that use the same file expect decides.
public enum SQLDateForm: Sendable, Hashable {
  /// Text in UTC to the nearest millisecond, `2026-11-21 10:38:07.123`, for the years 0000 to 9999; what a `Date` is kept as by itself.
  case text
  /// Seconds since 1970 as a floating-point number, exact to less than a microsecond in this century.
  case secondsSince1970
  /// Whole milliseconds since 1970 as an integer; a finer date is rounded to the nearest.
  case millisecondsSince1970

  /// Returns what SQLite will keep.
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` for a date outside of the form's range.
  public func value(of date: Date) throws(StorageError) -> SQLValue {
    switch self {
    case .text:
      guard let milliseconds = Self.milliseconds(date),
        let text = CivilTime(milliseconds: milliseconds).text
      else { throw Self.outOfRange }
      return .text(text)
    case .secondsSince1970:
      guard date.timeIntervalSince1970.isFinite else { throw Self.outOfRange }
      return .real(date.timeIntervalSince1970)
    case .millisecondsSince1970:
      guard let milliseconds = Self.milliseconds(date) else { throw Self.outOfRange }
      return .integer(milliseconds)
    }
  }

  func read(_ column: borrowing SQLColumn) throws(StorageError) -> Date {
    switch self {
    case .text:
      let text = try column.text()
      guard let date = CivilTime.date(text) else {
        throw column.failure("the text is no date such as 2026-11-21 10:38:07.123")
      }
      return date
    case .secondsSince1970:
      let seconds = try column.real()
      guard seconds.isFinite else { throw column.failure("an infinite number is no date") }
      return Date(timeIntervalSince1970: seconds)
    case .millisecondsSince1970:
      let (sum, hasOverflow) = try column.integer().subtractingReportingOverflow(
        CivilTime.referenceMilliseconds)
      guard !hasOverflow else { throw column.failure("the number is too small for a date") }
      return Date(timeIntervalSinceReferenceDate: Double(sum) / 1000)
    }
  }

  /// Milliseconds since 1970, or `nil` where they fit no integer.
  private static func milliseconds(_ date: Date) -> Int64? {
    // Counted from the date's own origin, 2001, so that a date of whole milliseconds loses nothing.
    let reference = (date.timeIntervalSinceReferenceDate * 1000).rounded()
    guard let number = Int64(exactly: reference) else { return nil }
    let (sum, hasOverflow) = number.addingReportingOverflow(CivilTime.referenceMilliseconds)
    return hasOverflow ? nil : sum
  }

  private static var outOfRange: StorageError {
    StorageError(
      .encodingFailed, "cannot bind a date: it is outside of what its form can tell",
      cure: "bind nil where there is no date", backend: SQLiteBackend.name)
  }

  /// A date to be bound in a form.
  struct Bound: SQLBindable {
    let date: Date?
    let form: SQLDateForm

    func sqlValue() throws(StorageError) -> SQLValue {
      try date.map { (date) throws(StorageError) in try form.value(of: date) } ?? .null
    }
  }
}
