/// A schedule that decides from triggers, results and times when an engine synchronises.
///
/// The schedule reads no clock. The caller passes all times, in milliseconds.
package struct SyncSchedule: Sendable {
  private let options: SyncOptions
  /// The time of the next synchronisation that a trigger has caused, or `nil` if there is none.
  private var triggeredAt: Int64?
  /// The time of the next synchronisation that needs no trigger, or `nil` if there is none.
  private var repeatedAt: Int64?
  /// The end of the back-off after an error, or `nil` if there is none.
  ///
  /// Before this time, only ``SyncTrigger/demand`` and
  /// ``SyncTrigger/networkAvailable`` cause a synchronisation.
  private var backOffEnd: Int64?
  private var lastSuccess: Int64?
  private var errorCount = 0

  /// Creates a schedule whose first synchronisation is due immediately.
  package init(_ options: SyncOptions, at now: Int64) {
    self.options = options
    triggeredAt = now
  }

  /// Records a trigger, which can bring the next synchronisation forward.
  package mutating func note(_ trigger: SyncTrigger, at now: Int64) {
    switch trigger {
    case .demand, .networkAvailable:
      backOffEnd = nil
      advance(to: now)
    case .poked: advance(to: now)
    case .committed: advance(to: adding(options.debounce, to: now))
    case .screenEntered:
      if let lastSuccess, now >= lastSuccess, now &- lastSuccess < options.screenInterval { return }
      advance(to: now)
    }
  }

  private mutating func advance(to time: Int64) { triggeredAt = min(triggeredAt ?? time, time) }

  /// Records that a synchronisation begins, and removes all earlier triggers, because the
  /// synchronisation includes their changes.
  package mutating func begin() {
    triggeredAt = nil
    repeatedAt = nil
  }

  /// Records that a synchronisation has succeeded, and schedules the next periodic one.
  ///
  /// - Parameter fraction: a random number from 0 to 1, which shortens the interval.
  package mutating func noteSuccess(at now: Int64, fraction: Double) {
    lastSuccess = now
    backOffEnd = nil
    errorCount = 0
    let shortening = Int64(Double(clamping(options.interval)) * 0.25 * fraction)
    repeatedAt = adding(clamping(options.interval) - shortening, to: now)
  }

  /// Records that a synchronisation has failed, and schedules the next attempt.
  ///
  /// The back-off has full jitter: its length is random, between the shortest back-off and a bound
  /// that doubles with each error, up to the longest back-off.
  ///
  /// - Parameters:
  ///   - isRepeated: whether the synchronisation is repeated without a trigger. If `false`, this
  ///     function changes nothing.
  ///   - fraction: a random number from 0 to 1, which determines the length of the back-off.
  package mutating func noteError(at now: Int64, isRepeated: Bool, fraction: Double) {
    guard isRepeated else { return }
    errorCount = min(errorCount + 1, 30)
    let shortest = clamping(options.shortestBackOff)
    let longest = max(shortest, clamping(options.longestBackOff))
    let bound = min(longest, shortest.multipliedReportingOverflow(by: 1 << errorCount).partialValue)
    let wait = shortest + Int64(Double(max(0, bound - shortest)) * fraction)
    backOffEnd = adding(wait, to: now)
    repeatedAt = backOffEnd
  }

  /// Returns the milliseconds until the next synchronisation, 0 if it is due, or `nil` if it needs
  /// a trigger.
  package func delay(at now: Int64) -> Int64? {
    guard let next = [triggeredAt, repeatedAt].compactMap({ $0 }).min() else { return nil }
    let wait = max(next, backOffEnd ?? next).subtractingReportingOverflow(now)
    // A wait longer than the longest configured one shows that the clock was set back.
    let longest = clamping(
      max(
        options.interval, options.shortestBackOff, options.longestBackOff, options.debounce))
    if wait.overflow || wait.partialValue > longest { return 0 }
    return max(0, wait.partialValue)
  }

  /// Returns a duration of the options, limited to the range from 0 to 2^32 milliseconds, so that
  /// multiplying it does not overflow.
  private func clamping(_ milliseconds: Int64) -> Int64 { min(max(0, milliseconds), 1 << 32) }

  private func adding(_ milliseconds: Int64, to now: Int64) -> Int64 {
    let sum = now.addingReportingOverflow(clamping(milliseconds))
    return sum.overflow ? .max : sum.partialValue
  }
}
