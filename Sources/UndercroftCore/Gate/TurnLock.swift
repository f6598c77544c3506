import Dispatch
import Synchronization

/// A lock whose waiters come to their turn, within a bounded time.
///
/// Whoever comes while it is free takes it at once, even before one who is just waking up: a handover costs more than most
/// transactions. But whoever has waited for a millisecond gets it handed, so that nobody starves.
package final class TurnLock: Sendable {
  private struct Waiter {
    let number: UInt64
    let since: ContinuousClock.Instant
    let bell = DispatchSemaphore(value: 0)
  }

  private struct State {
    var isTaken = false
    var waiters: [Waiter] = []
    /// Whose turn it is, after it was handed over.
    var chosen: UInt64?
    var lastNumber: UInt64 = 0
  }

  private enum Outcome { case mine, late, again }

  private static let patience = Duration.milliseconds(1)

  private let state = Mutex(State())

  package init() {}

  /// Takes the lock unless somebody has it.
  package func tryLock() -> Bool {
    state.withLock { state in
      if state.isTaken { return false }
      state.isTaken = true
      return true
    }
  }

  /// Waits for the lock; returns `false` when the time is over, or soon after `isCancelled` begins to return `true`.
  ///
  /// A thread that was handed the lock at that very moment has it, and returns `true`: no handover is lost.
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
    // It may have been freed before this thread was in the row.
    var isLate = false
    while true {
      switch look(as: waiter, isLate: isLate) {
      case .mine: return true
      case .late: return false
      case .again: isLate = !waiter.bell.wait(until: deadline, isCancelled: isCancelled)
      }
    }
  }

  private func look(as waiter: Waiter, isLate: Bool) -> Outcome {
    state.withLock { state in
      if state.chosen == waiter.number {
        state.chosen = nil
        return .mine
      }
      if state.isTaken && !isLate { return .again }
      state.waiters.removeAll { $0.number == waiter.number }
      if state.isTaken { return .late }
      state.isTaken = true
      return .mine
    }
  }

  /// Lets go.
  package func unlock() {
    let next = state.withLock { state -> Waiter? in
      guard let first = state.waiters.first else {
        state.isTaken = false
        return nil
      }
      if ContinuousClock.now - first.since < Self.patience {
        state.isTaken = false
      } else {
        state.chosen = first.number
        state.waiters.removeFirst()
      }
      return first
    }
    next?.bell.signal()
  }
}

extension Duration {
  /// The same in nanoseconds, as far as they fit.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? 0 : .max }
    let (sum, isOver) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isOver ? .max : sum
  }
}
