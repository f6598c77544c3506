import Dispatch
import Synchronization

/// An eventually fair lock: a barging lock that is
/// handed to the oldest waiter after a bounded time.
///
/// A thread that finds the lock free acquires it immediately, even before a waiter
/// that is waking up, because a handover takes longer than most transactions. A
/// waiter that has waited for 1 ms is handed the lock, so that no waiter starves.
package final class EventuallyFairLock: Sendable {
  private struct Waiter {
    let number: UInt64
    let since: ContinuousClock.Instant
    let semaphore = DispatchSemaphore(value: 0)
  }

  private struct State {
    var isLocked = false
    var waiters: [Waiter] = []
    /// The number of the waiter that was handed the lock and has
    /// not woken up yet, or `nil` if there is no such waiter.
    var successor: UInt64?
    var lastNumber: UInt64 = 0
  }

  private enum Outcome { case acquired, timedOut, mustWait }

  /// The minimum time that a waiter waits before ``unlock()`` hands the lock to this waiter.
  private static let handoverDelay = Duration.milliseconds(1)

  private let state = Mutex(State())

  /// Creates a lock that is free.
  package init() {}

  /// Acquires the lock if it is free, and returns whether the lock was acquired.
  package func tryLock() -> Bool {
    state.withLock { state in
      if state.isLocked { return false }
      state.isLocked = true
      return true
    }
  }

  /// Waits for the lock, and returns whether it was acquired.
  ///
  /// Returns `false` after `timeout`, or within 5 ms after `isCancelled` begins to return
  /// `true`. If another thread hands the lock to this thread at the same moment, this
  /// thread owns the lock and the method returns `true`, so that no handover is lost.
  package func lock(timeout: Duration, isCancelled: (() -> Bool)? = nil) -> Bool {
    if tryLock() { return true }
    let since = ContinuousClock.now
    let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: timeout.nanoseconds))
    let waiter = state.withLock { state in
      state.lastNumber += 1
      let waiter = Waiter(number: state.lastNumber, since: since)
      state.waiters.append(waiter)
      return waiter
    }
    // The lock may have been released before this thread
    // was added to the waiters, so it is checked again.
    var hasTimedOut = false
    while true {
      switch tryAcquire(as: waiter, hasTimedOut: hasTimedOut) {
      case .acquired: return true
      case .timedOut: return false
      case .mustWait:
        hasTimedOut = !waiter.semaphore.wait(until: deadline, isCancelled: isCancelled)
      }
    }
  }

  private func tryAcquire(as waiter: Waiter, hasTimedOut: Bool) -> Outcome {
    state.withLock { state in
      if state.successor == waiter.number {
        state.successor = nil
        return .acquired
      }
      if state.isLocked && !hasTimedOut { return .mustWait }
      state.waiters.removeAll { $0.number == waiter.number }
      if state.isLocked { return .timedOut }
      state.isLocked = true
      return .acquired
    }
  }

  /// Releases the lock, or hands it to the oldest waiter
  /// if that waiter has waited for at least 1 ms.
  package func unlock() {
    let next = state.withLock { state -> Waiter? in
      guard let first = state.waiters.first else {
        state.isLocked = false
        return nil
      }
      if ContinuousClock.now - first.since < Self.handoverDelay {
        state.isLocked = false
      } else {
        state.successor = first.number
        state.waiters.removeFirst()
      }
      return first
    }
    next?.semaphore.signal()
  }
}

extension Duration {
  /// The duration in nanoseconds, or `Int64.max` if the number of nanoseconds does not fit.
  ///
  /// If the number of a negative duration does not fit, the result is 0.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? 0 : .max }
    let (sum, isOver) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    if isOver { return seconds < 0 ? 0 : .max }
    return sum
  }
}
