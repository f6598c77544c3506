/// The conversions between the text of a date and the seconds since 2001, without a calendar of
/// Foundation.
///
/// Texts are in UTC and, unless a function states another calendar, in the proleptic Gregorian
/// calendar, as in ISO 8601.
enum PropertyListDate {
  /// A calendar for the dates before 15 October 1582, the first day of the Gregorian calendar.
  enum EarlyCalendar {
    /// The proleptic Gregorian calendar.
    case gregorian
    /// The Julian calendar, in which Foundation writes and reads such dates in XML.
    case julian
  }

  private static let secondsPerDay = 86_400
  private static let daysPerEra = 146_097
  /// The number of days from 0000-03-01 to 2001-01-01.
  private static let daysTo2001 = 730_791
  /// The number of days from 0000-03-01 in the Julian calendar to 2001-01-01.
  private static let julianDaysTo2001 = 730_793
  private static let daysPerJulianCycle = 1_461
  /// The number of days from 2001-01-01 to 1582-10-15.
  private static let gregorianStart = -152_750

  /// Returns a date as ISO 8601 text, or as a number if the year has not four digits.
  ///
  /// A fraction of a second has three to nine digits.
  static func text(secondsSince2001 seconds: Double) -> String {
    // The years 0 to 9999.
    guard seconds >= -63_145_526_400, seconds < 252_423_993_600 else {
      return "\(seconds) seconds since 2001"
    }
    let whole = Int(seconds.rounded(.down))
    let days = floorDivision(whole, secondsPerDay)
    let second = whole - days * secondsPerDay
    let (year, month, day) = date(daysSince2001: days)
    return pad(year, 4) + "-" + pad(month, 2) + "-" + pad(day, 2) + "T" + pad(second / 3600, 2)
      + ":" + pad(second / 60 % 60, 2) + ":" + pad(second % 60, 2) + fraction(of: seconds) + "Z"
  }

  /// Returns the fraction of a number of seconds with a dot, or no text if the number is whole.
  ///
  /// The fraction is the shortest one that denotes the same number, apart from the rounding of the
  /// sum. Dates that differ by at least a nanosecond have different texts.
  private static func fraction(of seconds: Double) -> String {
    let whole = seconds.rounded(.down)
    guard seconds != whole else { return "" }
    var scale = 1000.0
    for count in 3...9 {
      // The fraction of a date just before a whole second must not be rounded up to it.
      let digits = min(((seconds - whole) * scale).rounded(), scale - 1)
      let difference = (whole + digits / scale - seconds).magnitude
      if count == 9 || difference < 5e-13 { return "." + pad(Int(digits), count) }
      scale *= 10
    }
    return ""
  }

  /// Returns the seconds since 2001 of a date such as `2001-01-01T00:00:00Z`, or `nil`.
  ///
  /// The year has four to nine digits and may have a minus sign. The time may be 24:00:00, the end
  /// of the day. A day that the month does not have is a day of the next month, as in Foundation.
  ///
  /// - Parameters:
  ///   - text: the date in ASCII.
  ///   - calendar: the calendar of a date before 15 October 1582.
  static func seconds(_ text: ArraySlice<UInt8>, before1582 calendar: EarlyCalendar) -> Double? {
    var bytes = text
    let sign = bytes.first == UInt8(ascii: "-") ? -1 : 1
    if sign < 0 { bytes.removeFirst() }
    guard let year = number(&bytes, 4...9), drop("-", &bytes), let month = number(&bytes, 2...2),
      drop("-", &bytes), let day = number(&bytes, 2...2), drop("T", &bytes),
      let hour = number(&bytes, 2...2), drop(":", &bytes), let minute = number(&bytes, 2...2),
      drop(":", &bytes), let second = number(&bytes, 2...2), drop("Z", &bytes), bytes.isEmpty,
      (1...12).contains(month), (1...31).contains(day), minute < 60, second <= 60,
      hour < 24 || hour == 24 && minute == 0 && second == 0
    else { return nil }
    var days = daysSince2001(year: sign * year, month: month, day: day)
    if calendar == .julian, days < gregorianStart {
      days = daysSince2001(julianYear: sign * year, month: month, day: day)
    }
    return Double(days * secondsPerDay + hour * 3600 + minute * 60 + second)
  }

  // MARK: Calendar

  // The year begins on 1 March, so that the leap day is the last day of the year.

  private static func daysSince2001(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = floorDivision(year, 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * daysPerEra + dayOfEra - daysTo2001
  }

  private static func daysSince2001(julianYear year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let cycle = floorDivision(year, 4)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return cycle * daysPerJulianCycle + (year - cycle * 4) * 365 + dayOfYear - julianDaysTo2001
  }

  private static func date(daysSince2001 days: Int) -> (year: Int, month: Int, day: Int) {
    let days = days + daysTo2001
    let era = floorDivision(days, daysPerEra)
    let dayOfEra = days - era * daysPerEra
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / (daysPerEra - 1)) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }

  private static func floorDivision(_ dividend: Int, _ divisor: Int) -> Int {
    let quotient = dividend / divisor
    return dividend % divisor < 0 ? quotient - 1 : quotient
  }

  // MARK: Text

  private static func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func number(
    _ bytes: inout ArraySlice<UInt8>, _ lengths: ClosedRange<Int>
  ) -> Int? {
    let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard lengths.contains(digits.count) else { return nil }
    bytes = bytes[digits.endIndex...]
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func drop(_ separator: Unicode.Scalar, _ bytes: inout ArraySlice<UInt8>) -> Bool {
    guard bytes.first == UInt8(ascii: separator) else { return false }
    bytes.removeFirst()
    return true
  }
}
