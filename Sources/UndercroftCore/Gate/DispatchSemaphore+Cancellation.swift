package import Dispatch

extension DispatchSemaphore {
  /// Waits for a signal until the deadline or a cancellation, and returns whether a signal arrived.
  ///
  /// Returns `false` at the deadline, or within 5 ms after `isCancelled` begins to return `true`.
  package func wait(until deadline: DispatchTime, isCancelled: (() -> Bool)?) -> Bool {
    guard let isCancelled else { return wait(timeout: deadline) == .success }
    while true {
      let next = min(deadline, .now() + .milliseconds(5))
      if wait(timeout: next) == .success { return true }
      if next == deadline || isCancelled() { return false }
    }
  }
}
