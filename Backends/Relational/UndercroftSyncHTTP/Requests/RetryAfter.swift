#if SyncHTTP
  import UndercroftFoundation

  /// The value of the header `Retry-After`. (RFC 9110, section 10.2.3)
  package enum RetryAfter {
    /// The maximum result in milliseconds: a year.
    private static let maximum: Int64 = 31_536_000_000

    /// Returns the milliseconds of a value, which is a number of seconds or a date, or `nil` if the
    /// value is neither.
    package static func milliseconds(_ value: String, now: Int64) -> Int64? {
      let text = value.split(whereSeparator: { $0 == " " || $0 == "\t" })
      if text.count == 1, text[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        // More digits than fit into a number are still a long time.
        return min(Int64(text[0]) ?? .max, maximum / 1_000) * 1_000
      }
      guard let date = date(text, now: now) else { return nil }
      return min(max(0, date - now), maximum)
    }

    /// Returns the milliseconds since 1970 of a date in one of three forms, of which the second and
    /// the third are obsolete. (RFC 9110, section 5.6.7)
    ///
    /// ```
    /// Sun, 06 Nov 1994 08:49:37 GMT
    /// Sunday, 06-Nov-94 08:49:37 GMT
    /// Sun Nov  6 08:49:37 1994
    /// ```
    private static func date(_ parts: [Substring], now: Int64) -> Int64? {
      switch parts.count {
      case 6 where parts[5] == "GMT":
        guard let year = Int(parts[3]) else { return nil }
        return date(year, parts[2], parts[1], parts[4])
      case 5:
        guard let year = Int(parts[4]) else { return nil }
        return date(year, parts[1], parts[2], parts[3])
      case 4 where parts[3] == "GMT":
        let day = parts[1].split(separator: "-")
        guard day.count == 3, day[2].utf8.count == 2, let year = Int(day[2]) else { return nil }
        // The last year with these digits that is at most 50 years in the future.
        return [2100, 2000, 1900].lazy.compactMap { date($0 + year, day[1], day[0], parts[2]) }
          .first { $0 - fiftyYears <= now }
      default: return nil
      }
    }

    private static let fiftyYears: Int64 = 1_577_847_600_000

    private static func date(
      _ year: Int, _ month: Substring, _ day: Substring, _ time: Substring
    ) -> Int64? {
      guard (1900...9999).contains(year), let month = months.firstIndex(of: String(month)),
        let day = Int(day), (1...31).contains(day)
      else { return nil }
      let time = time.split(separator: ":").map { Int($0) }
      guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2],
        (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
      else { return nil }
      // The day in the Gregorian calendar, with years that begin in March.
      let shifted = month < 2 ? year - 1 : year
      let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
      let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
      return Int64(((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000
    }

    private static let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
  }
#endif
