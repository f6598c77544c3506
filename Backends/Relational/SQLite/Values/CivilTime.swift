#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An instant as calendar and clock show it in UTC, in the Gregorian calendar for all years as SQLite counts.
///
/// Made here because formatters cost many times what writing the row costs.
struct CivilTime {
  /// 2001-01-01, from which `Date` counts, in milliseconds since 1970.
  static let referenceMilliseconds: Int64 = 978_307_200_000

  private let days: Int64
  private let milliseconds: Int64

  /// - Parameter milliseconds: since 1970.
  init(milliseconds: Int64) {
    let day: Int64 = 86_400_000
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: day)
    self.days = remainder < 0 ? quotient - 1 : quotient
    self.milliseconds = remainder < 0 ? remainder + day : remainder
  }

  /// `YYYY-MM-DD HH:MM:SS.SSS`, or `nil` outside of the years 0000 to 9999.
  var text: String? {
    let (year, month, dayOfMonth) = Self.date(ofDay: days)
    guard (0...9999).contains(year) else { return nil }
    let fields: [(value: Int64, width: Int, after: Unicode.Scalar?)] = [
      (year, 4, "-"), (month, 2, "-"), (dayOfMonth, 2, " "), (milliseconds / 3_600_000, 2, ":"),
      (milliseconds / 60_000 % 60, 2, ":"), (milliseconds / 1000 % 60, 2, "."),
      (milliseconds % 1000, 3, nil),
    ]
    var text = ""
    text.reserveCapacity(23)
    for (value, width, after) in fields {
      var divisor = width == 4 ? 1000 : width == 3 ? 100 : 10 as Int64
      while divisor > 0 {
        text.unicodeScalars.append(Unicode.Scalar(UInt8(48 + value / divisor % 10)))
        divisor /= 10
      }
      if let after { text.unicodeScalars.append(after) }
    }
    return text
  }

  /// Reads what ``Date/read(from:)`` documents; `nil` for anything else, such as February 30th or a 25th hour.
  static func date(_ text: String) -> Date? {
    var rest = Array(text.utf8)[...]
    guard let year = number(&rest, 4), take(&rest, "-"), let month = number(&rest, 2),
      take(&rest, "-"), let day = number(&rest, 2), (1...12).contains(month)
    else { return nil }
    let days = self.days(year, month, day)
    guard self.date(ofDay: days) == (year, month, day) else { return nil }
    var seconds = days * 86_400 - referenceMilliseconds / 1000
    var fraction = (value: 0 as Int64, scale: 1 as Int64)
    if !rest.isEmpty {
      guard take(&rest, " ") || take(&rest, "T"), let hour = number(&rest, 2), take(&rest, ":"),
        let minute = number(&rest, 2), hour < 24, minute < 60
      else { return nil }
      seconds += hour * 3600 + minute * 60
      if take(&rest, ":") {
        guard let second = number(&rest, 2), second < 60 else { return nil }
        seconds += second
        if take(&rest, ".") {
          guard let read = readFraction(&rest) else { return nil }
          fraction = read
        }
      }
      guard let offset = readOffset(&rest), rest.isEmpty else { return nil }
      seconds -= offset
    }
    // One division of exact numbers, so that a date of whole milliseconds comes back bit for bit.
    if fraction.scale <= 1000 {
      let whole = seconds * fraction.scale + fraction.value
      return Date(timeIntervalSinceReferenceDate: Double(whole) / Double(fraction.scale))
    }
    let part = Double(fraction.value) / Double(fraction.scale)
    return Date(timeIntervalSinceReferenceDate: Double(seconds) + part)
  }

  // MARK: Pieces of text

  private static func take(_ rest: inout ArraySlice<UInt8>, _ expected: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: expected) else { return false }
    rest.removeFirst()
    return true
  }

  private static func digit(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    guard let byte = rest.first, (48...57).contains(byte) else { return nil }
    rest.removeFirst()
    return Int64(byte) - 48
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, _ width: Int) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<width {
      guard let digit = digit(&rest) else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// From 1 to 9 digits.
  private static func readFraction(_ rest: inout ArraySlice<UInt8>) -> (Int64, Int64)? {
    var value: Int64 = 0
    var scale: Int64 = 1
    while scale < 1_000_000_000, let digit = digit(&rest) {
      value = value * 10 + digit
      scale *= 10
    }
    return scale == 1 ? nil : (value, scale)
  }

  /// Seconds east of UTC: nothing or `Z`, `+HH:MM`, `-HH:MM` up to 14 hours.
  private static func readOffset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    if rest.isEmpty || take(&rest, "Z") { return 0 }
    let sign: Int64
    if take(&rest, "+") { sign = 1 } else if take(&rest, "-") { sign = -1 } else { return nil }
    guard let hours = number(&rest, 2), take(&rest, ":"), let minutes = number(&rest, 2),
      minutes < 60, hours * 60 + minutes <= 14 * 60
    else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  // MARK: The calendar

  // Years are counted from March, so that the leap day is the last of its year, in cycles of 400 years of 146,097 days.

  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let cycle = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfCycle = shifted - cycle * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    // 719,468 days from 0000-03-01 to 1970-01-01.
    return cycle * 146_097 + dayOfCycle - 719_468
  }

  private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
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
