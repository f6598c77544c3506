/// A timestamp of a hybrid logical clock: milliseconds since 1970 and a counter.
///
/// Timestamps decide only which of two concurrent changes wins. (Kulkarni, Demirbas, Madappa, Avva
/// and Leone: "Logical Physical Clocks", 2014)
public struct HybridTimestamp: Hashable, Comparable, Sendable {
  /// The milliseconds in the upper 48 bits and the counter in the lower 16 bits; never negative.
  public let rawValue: Int64

  /// The earliest timestamp, which no clock returns.
  public static let zero = HybridTimestamp(clamping: 0)
  /// The latest timestamp, in the year 6429.
  public static let maximum = HybridTimestamp(clamping: .max)

  /// Creates a timestamp from its raw value, or ``zero`` from a negative number.
  public init(clamping rawValue: Int64) { self.rawValue = max(0, rawValue) }

  /// Creates the first timestamp of a millisecond since 1970.
  ///
  /// A time before 1970 is replaced by 0 milliseconds. A time that is too great for a timestamp is
  /// replaced by the greatest possible time, which is in the year 6429.
  public init(milliseconds: Int64) {
    rawValue = min(max(0, milliseconds), Int64.max >> 16) << 16
  }

  /// The milliseconds since 1970, from 0 to 2^47 - 1.
  public var milliseconds: Int64 { rawValue >> 16 }

  /// The counter, which orders the timestamps of one millisecond.
  public var counter: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

  /// Returns whether one timestamp is earlier than another.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension HybridTimestamp {
  /// The raw value as 16 hexadecimal digits in lower case, as messages contain it.
  package var digits: String { WireForm.digits(UInt64(bitPattern: rawValue)) }

  /// Creates a timestamp from the 16 lower-case hexadecimal digits that messages contain.
  ///
  /// Returns `nil` for any other string, and for a number above `7fffffffffffffff`.
  package init?(digits: String) {
    let isHexadecimal = digits.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
    guard digits.utf8.count == 16, isHexadecimal, let rawValue = Int64(digits, radix: 16) else {
      return nil
    }
    self.rawValue = rawValue
  }
}
