/// A calendar date and time of day in UTC, in the proleptic Gregorian calendar that SQLite uses.
///
/// The conversion is implemented here because date formatters cost many times
/// as much as writing the row.
struct CivilTime {
  /// The number of milliseconds from 1970-01-01 to 2001-01-01, the reference date of `Date`.
  static let referenceMilliseconds: Int64 = 978_307_200_000

  private let days: Int64
  private let milliseconds: Int64

  /// Creates the date and time of an instant.
  ///
  /// - Parameter milliseconds: the number of milliseconds since 1970.
  init(milliseconds: Int64) {
    let day: Int64 = 86_400_000
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: day)
    self.days = remainder < 0 ? quotient - 1 : quotient
    self.milliseconds = remainder < 0 ? remainder + day : remainder
  }

  /// The text in the form `YYYY-MM-DD HH:MM:SS.SSS`, or `nil` outside of the years 0000 to 9999.
  var text: String? {
    let (year, month, dayOfMonth) = Self.date(ofDay: days)
    guard (0...9999).contains(year) else { return nil }
    return String(unsafeUninitializedCapacity: 23) { text in
      text.initialize(repeating: UInt8(ascii: "-"))
      Self.write(year, to: text, 0..<4)
      Self.write(month, to: text, 5..<7)
      Self.write(dayOfMonth, to: text, 8..<10)
      text[10] = UInt8(ascii: " ")
      Self.write(milliseconds / 3_600_000, to: text, 11..<13)
      text[13] = UInt8(ascii: ":")
      Self.write(milliseconds / 60_000 % 60, to: text, 14..<16)
      text[16] = UInt8(ascii: ":")
      Self.write(milliseconds / 1000 % 60, to: text, 17..<19)
      text[19] = UInt8(ascii: ".")
      Self.write(milliseconds % 1000, to: text, 20..<23)
      return 23
    }
  }

  private static func write(
    _ number: Int64, to text: UnsafeMutableBufferPointer<UInt8>, _ range: Range<Int>
  ) {
    var rest = number
    for index in range.reversed() {
      text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
  }

  // MARK: The calendar

  // Years begin in March, so that the leap day is the last day of its year.
  // A cycle of 400 years has 146,097 days.

  static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let cycle = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfCycle = shifted - cycle * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    // There are 719,468 days from 0000-03-01 to 1970-01-01.
    return cycle * 146_097 + dayOfCycle - 719_468
  }

  static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let cycle = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfCycle = shifted - cycle * 146_097
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }
}
