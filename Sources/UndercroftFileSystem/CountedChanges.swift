@preconcurrency import Dispatch
import Synchronization
import UndercroftCore

/// Compares a store's count of changes after each event of its folder, and reports a difference.
///
/// The count of a store that cannot be read at that moment, such as while too many files are open, is
/// asked for again until the answer comes. Otherwise the change would be reported with the next one,
/// which may never happen.
final class CountedChanges: Sendable {
  private struct State {
    var last: UInt64?
    var isRetrying = false
  }

  /// The pause before the first retry; each later one is twice as long, up to ``longestPause``.
  private static let firstPause = Duration.milliseconds(10)
  private static let longestPause = Duration.seconds(10)

  private let count: @Sendable () throws(StorageError) -> UInt64
  private let handler: @Sendable () -> Void
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "undercroft.folder-watch-retries")

  /// Asks for the first count; if it cannot be had, the first one that can is reported as a change.
  init(
    _ count: @escaping @Sendable () throws(StorageError) -> UInt64,
    _ handler: @escaping @Sendable () -> Void
  ) {
    self.count = count
    self.handler = handler
    let first = try? count()
    state.withLock { $0.last = first }
  }

  /// Reads the count once the watch has begun: a change between the first count and the watch has no
  /// event.
  func begin() {
    guard let isNew = advance() else { return retry(after: Self.firstPause) }
    if isNew { queue.async { [handler] in handler() } }
  }

  /// Asks for the count after an event.
  func examine() {
    if !report() { retry(after: Self.firstPause) }
  }

  /// Asks again after a pause, unless that is planned already.
  private func retry(after pause: Duration) {
    let isPlanned = state.withLock { state in
      defer { state.isRetrying = true }
      return state.isRetrying
    }
    if isPlanned { return }
    let nanoseconds = Int(pause / .nanoseconds(1))
    // Ends with the watch, which holds this object.
    queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
      guard let self else { return }
      // Before the count: an event whose count fails after this one then plans another retry.
      self.state.withLock { $0.isRetrying = false }
      if !self.report() { self.retry(after: min(pause * 2, Self.longestPause)) }
    }
  }

  /// Calls the handler if the count differs from the last one; returns whether there was a count.
  private func report() -> Bool {
    guard let isNew = advance() else { return false }
    if isNew { handler() }
    return true
  }

  /// Stores the present count; returns whether it differs from the last one, or `nil` if it cannot be
  /// read.
  private func advance() -> Bool? {
    guard let now = try? count() else { return nil }
    return state.withLock { state in
      defer { state.last = now }
      return state.last != now
    }
  }
}
