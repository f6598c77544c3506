import UndercroftFoundation

extension CivilTime {
  /// Parses a date in one of the ISO 8601 forms that ``Date/read(from:)`` documents.
  ///
  /// Returns `nil` for any other text, such as February 30th or a 25th hour.
  static func date(_ text: String) -> Date? {
    var rest = Array(text.utf8)[...]
    guard let year = number(&rest, 4), skip(&rest, "-"), let month = number(&rest, 2),
      skip(&rest, "-"), let day = number(&rest, 2), (1...12).contains(month)
    else { return nil }
    let days = self.days(year, month, day)
    guard self.date(ofDay: days) == (year, month, day) else { return nil }
    var seconds = days * 86_400 - referenceMilliseconds / 1000
    var fraction = (value: 0 as Int64, scale: 1 as Int64)
    if !rest.isEmpty {
      guard skip(&rest, " ") || skip(&rest, "T"), let hour = number(&rest, 2), skip(&rest, ":"),
        let minute = number(&rest, 2), hour < 24, minute < 60
      else { return nil }
      seconds += hour * 3600 + minute * 60
      if skip(&rest, ":") {
        guard let second = number(&rest, 2), second < 60 else { return nil }
        seconds += second
        if skip(&rest, ".") {
          guard let read = readFraction(&rest) else { return nil }
          fraction = read
        }
      }
      guard let offset = readOffset(&rest), rest.isEmpty else { return nil }
      seconds -= offset
    }
    // A single division of exact numbers,
    // so that a date of whole milliseconds is read back exactly.
    if fraction.scale <= 1000 {
      let total = seconds * fraction.scale + fraction.value
      return Date(timeIntervalSinceReferenceDate: Double(total) / Double(fraction.scale))
    }
    let part = Double(fraction.value) / Double(fraction.scale)
    return Date(timeIntervalSinceReferenceDate: Double(seconds) + part)
  }

  // MARK: Pieces of text

  private static func skip(_ rest: inout ArraySlice<UInt8>, _ expected: Unicode.Scalar) -> Bool {
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

  /// Removes a decimal fraction of 1 to 9 digits from the start of `rest`.
  ///
  /// Returns the numerator and the denominator of the fraction, or `nil`
  /// if `rest` begins with no digit. The denominator is a power of 10.
  private static func readFraction(_ rest: inout ArraySlice<UInt8>) -> (Int64, Int64)? {
    var value: Int64 = 0
    var scale: Int64 = 1
    while scale < 1_000_000_000, let digit = digit(&rest) {
      value = value * 10 + digit
      scale *= 10
    }
    return scale == 1 ? nil : (value, scale)
  }

  /// Removes a time zone from the start of `rest`, and returns its offset in seconds east of UTC.
  ///
  /// The accepted forms are an empty string, `Z`, `+HH:MM` and `-HH:MM`,
  /// with an offset of at most 14 hours. Returns `nil` for any other text.
  private static func readOffset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    if rest.isEmpty || skip(&rest, "Z") { return 0 }
    let sign: Int64
    if skip(&rest, "+") { sign = 1 } else if skip(&rest, "-") { sign = -1 } else { return nil }
    guard let hours = number(&rest, 2), skip(&rest, ":"), let minutes = number(&rest, 2),
      minutes < 60, hours * 60 + minutes <= 14 * 60
    else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
