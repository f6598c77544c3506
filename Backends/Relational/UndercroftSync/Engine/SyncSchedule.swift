/// The decision when an engine synchronises, as a function of triggers, results and times.
package struct SyncSchedule: Sendable {
  private let options: SyncOptions
  /// The time of the next synchronisation because of triggers, or `nil`.
  private var triggeredAt: Int64?
  /// The time of the next synchronisation without a trigger, or `nil` if there is none.
  private var repeatedAt: Int64?
  /// The time before which only a demand causes a synchronisation.
  private var backOffEnd: Int64?
  private var lastSuccess: Int64?
  private var errorCount = 0

  /// Creates a schedule whose first synchronisation is due immediately.
  package init(_ options: SyncOptions, at now: Int64) {
    self.options = options
    triggeredAt = now
  }

  /// Notes a trigger.
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

  /// Notes that a synchronisation begins, which includes all that was triggered before.
  package mutating func begin() {
    triggeredAt = nil
    repeatedAt = nil
  }

  /// Notes that a synchronisation has succeeded.
  ///
  /// - Parameter fraction: a random number from 0 to 1.
  package mutating func noteSuccess(at now: Int64, fraction: Double) {
    lastSuccess = now
    backOffEnd = nil
    errorCount = 0
    let shortening = Int64(Double(clamping(options.interval)) * 0.25 * fraction)
    repeatedAt = adding(clamping(options.interval) - shortening, to: now)
  }

  /// Notes that a synchronisation has failed.
  ///
  /// The wait has full jitter: it is between the shortest one and a bound that doubles with each
  /// error.
  ///
  /// - Parameters:
  ///   - isRepeated: whether the synchronisation is repeated without a trigger.
  ///   - fraction: a random number from 0 to 1.
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
    // A wait that is longer than all others began before the clock was set back.
    let longest = max(
      clamping(options.interval), clamping(options.longestBackOff), clamping(options.debounce))
    if wait.overflow || wait.partialValue > longest { return 0 }
    return max(0, wait.partialValue)
  }

  /// Returns a time of the caller as a number of milliseconds that can be multiplied.
  private func clamping(_ milliseconds: Int64) -> Int64 { min(max(0, milliseconds), 1 << 32) }

  private func adding(_ milliseconds: Int64, to now: Int64) -> Int64 {
    let sum = now.addingReportingOverflow(clamping(milliseconds))
    return sum.overflow ? .max : sum.partialValue
  }
}
