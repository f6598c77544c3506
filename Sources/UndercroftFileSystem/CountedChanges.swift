@preconcurrency import Dispatch
import Synchronization
import UndercroftCore

/// An observer that reads the change count of a store after each event
/// of the store's folder, and calls a handler if the count has changed.
///
/// If the count cannot be read, such as while too many files are open,
/// reading is retried until it succeeds. Without a retry, the change would
/// only be reported together with the next change, which may never happen.
final class CountedChanges: Sendable {
  private struct State {
    var last: UInt64?
    var isRetrying = false
  }

  /// The delay before the first retry; it doubles with each further retry, up to ``longestPause``.
  private static let firstPause = Duration.milliseconds(10)
  private static let longestPause = Duration.seconds(10)

  private let count: @Sendable () throws(StorageError) -> UInt64
  private let handler: @Sendable () -> Void
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "undercroft.folder-watch-retries")

  /// Creates an observer and reads the initial count; if the count cannot
  /// be read, the first count that is read later is reported as a change.
  init(
    _ count: @escaping @Sendable () throws(StorageError) -> UInt64,
    _ handler: @escaping @Sendable () -> Void
  ) {
    self.count = count
    self.handler = handler
    let first = try? count()
    state.withLock { $0.last = first }
  }

  /// Reads the count after the watch has started, and calls the handler if the count has changed.
  ///
  /// A change between the initial count and the start of the watch causes no event, so
  /// only this method detects the change. If the count cannot be read, schedules a retry.
  func begin() {
    guard let isNew = advance() else { return retry(after: Self.firstPause) }
    if isNew { queue.async { [handler] in handler() } }
  }

  /// Reads the count after an event, and calls the handler if the count has changed.
  ///
  /// If the count cannot be read, schedules a retry.
  func examine() {
    if !report() { retry(after: Self.firstPause) }
  }

  /// Schedules a retry after `pause`, unless a retry is already scheduled.
  private func retry(after pause: Duration) {
    let isPlanned = state.withLock { state in
      defer { state.isRetrying = true }
      return state.isRetrying
    }
    if isPlanned { return }
    let nanoseconds = Int(pause / .nanoseconds(1))
    // The watch owns this object, so the retries end with the watch.
    queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
      guard let self else { return }
      // Reset before the count is read. If the count cannot be read
      // after a later event, that event then schedules another retry.
      self.state.withLock { $0.isRetrying = false }
      if !self.report() { self.retry(after: min(pause * 2, Self.longestPause)) }
    }
  }

  /// Calls the handler if the count differs from the last
  /// count, and returns whether the count could be read.
  private func report() -> Bool {
    guard let isNew = advance() else { return false }
    if isNew { handler() }
    return true
  }

  /// Stores the present count and returns whether it differs from
  /// the last count, or returns `nil` if the count cannot be read.
  private func advance() -> Bool? {
    guard let now = try? count() else { return nil }
    return state.withLock { state in
      defer { state.last = now }
      return state.last != now
    }
  }
}
