/// A hybrid logical clock, whose timestamps never decrease, even if the system clock is set back.
package struct HybridClock: Hashable, Sendable {
  /// The latest timestamp that the clock has returned or received.
  package private(set) var last: HybridTimestamp

  /// Creates a clock that continues after a timestamp.
  package init(last: HybridTimestamp = .zero) { self.last = last }

  /// Returns a timestamp that is later than all timestamps that the clock has returned or received.
  ///
  /// After 65,536 timestamps of one millisecond, the timestamps use the next millisecond. The only
  /// timestamp that the clock returns repeatedly is ``HybridTimestamp/maximum``, because no
  /// timestamp is later.
  ///
  /// - Parameter milliseconds: the time of the system clock in milliseconds since 1970, which may
  ///   be wrong.
  package mutating func next(at milliseconds: Int64) -> HybridTimestamp {
    let following = last.rawValue.addingReportingOverflow(1)
    let successor =
      following.overflow ? .maximum : HybridTimestamp(clamping: following.partialValue)
    last = max(successor, HybridTimestamp(milliseconds: milliseconds))
    return last
  }

  /// Accepts a timestamp of another clock, so that this clock returns only later timestamps.
  package mutating func merge(_ other: HybridTimestamp) { last = max(last, other) }
}

extension HybridTimestamp {
  /// Returns the earlier of this timestamp and the latest timestamp that a server tolerates.
  ///
  /// - Parameters:
  ///   - now: the time of the server, in milliseconds since 1970.
  ///   - maximumDrift: the maximum number of milliseconds by which the clock of a replica may be
  ///     ahead of the clock of the server.
  package func clamped(now: Int64, maximumDrift: Int64) -> HybridTimestamp {
    let sum = now.addingReportingOverflow(maximumDrift)
    // Both summands are positive, unless the caller's clock is broken.
    let latest = sum.overflow ? (now > 0 ? Int64.max : 0) : sum.partialValue
    return min(self, HybridTimestamp(milliseconds: latest))
  }
}
