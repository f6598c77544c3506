import UndercroftInspection

/// The distribution of the sizes of values, in memory that does not depend on their number.
///
/// The sizes are counted in ranges that begin with powers of two. The median and the percentiles
/// are therefore the upper ends of such ranges.
struct SizeStatistics {
  private(set) var count = 0
  private(set) var total = 0
  private(set) var smallest: Int?
  private(set) var largest = 0
  /// The numbers of values whose size has the given number of significant bits.
  private var counts = [Int](repeating: 0, count: 65)

  mutating func add(_ byteCount: Int) {
    count += 1
    total = total.addingReportingOverflow(byteCount).partialValue
    smallest = min(smallest ?? byteCount, byteCount)
    largest = max(largest, byteCount)
    counts[Int.bitWidth - max(0, byteCount).leadingZeroBitCount] += 1
  }

  /// Returns a size that is not exceeded by the given share of the values, or `nil` if there are no
  /// values.
  func percentile(_ share: Double) -> Int? {
    guard count > 0 else { return nil }
    let wanted = Int((Double(count) * share).rounded(.up))
    var seen = 0
    for (bits, number) in counts.enumerated() {
      seen += number
      if seen >= wanted { return min(largest, Self.upperEnd(bits)) }
    }
    return largest
  }

  /// The ranges that contain values: the smallest and largest size, and the number of values.
  var ranges: [(lower: Int, upper: Int, count: Int)] {
    counts.enumerated().compactMap { bits, number in
      guard number > 0 else { return nil }
      return (bits == 0 ? 0 : 1 << (bits - 1), Self.upperEnd(bits), number)
    }
  }

  private static func upperEnd(_ bits: Int) -> Int { bits >= 63 ? .max : (1 << bits) - 1 }
}
