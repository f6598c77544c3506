import UndercroftInspection

/// The distribution of the sizes of values, in memory that does not depend on their number.
///
/// The percentiles of few values are exact. The sizes of more values are counted in ranges that
/// begin with powers of two, and their percentiles are the upper ends of such ranges.
struct SizeStatistics {
  /// A size that is not exceeded by a share of the values.
  struct Percentile {
    let byteCount: Int
    /// Whether the size is the end of a range, so that the exact one can be smaller.
    let isUpperEnd: Bool
  }

  /// The maximum number of values whose percentiles are exact.
  private static let maximumExactCount = 1_000

  private(set) var count = 0
  private(set) var total = 0
  private(set) var smallest: Int?
  private(set) var largest = 0
  /// The numbers of values whose size has the given number of significant bits.
  private var counts = [Int](repeating: 0, count: 65)
  /// The sizes of the first values.
  private var first: [Int] = []

  mutating func add(_ byteCount: Int) {
    count += 1
    total = total.addingReportingOverflow(byteCount).partialValue
    smallest = min(smallest ?? byteCount, byteCount)
    largest = max(largest, byteCount)
    counts[Int.bitWidth - max(0, byteCount).leadingZeroBitCount] += 1
    if count <= Self.maximumExactCount { first.append(byteCount) }
  }

  /// Returns a size that is not exceeded by the given share of the values, or `nil` if there are no
  /// values.
  func percentile(_ share: Double) -> Percentile? {
    guard count > 0 else { return nil }
    let wanted = max(1, Int((Double(count) * share).rounded(.up)))
    if count <= Self.maximumExactCount {
      return Percentile(byteCount: first.sorted()[wanted - 1], isUpperEnd: false)
    }
    var seen = 0
    for (bits, number) in counts.enumerated() {
      seen += number
      if seen >= wanted {
        return Percentile(byteCount: min(largest, Self.upperEnd(bits)), isUpperEnd: true)
      }
    }
    return Percentile(byteCount: largest, isUpperEnd: true)
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
