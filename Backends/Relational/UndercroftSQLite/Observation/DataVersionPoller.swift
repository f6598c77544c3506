import Dispatch
import Synchronization

/// A poller that determines whether a file-system event was caused by a commit of another
/// connection.
///
/// A commit becomes visible only after it was written to the log, so a poll that comes too early is
/// repeated later. No event follows when the commit becomes visible, because the last step of a
/// commit writes to shared memory, which causes no event.
final class DataVersionPoller: Sendable {
  private struct State {
    var generation = 0
    var version: DataVersion?
    /// The number of the last event.
    ///
    /// An event replaces the polls that were planned for earlier events.
    var eventNumber = 0
  }

  // The last pauses are for a busy disk, which may need more than a minute to flush the log.
  private static let pauses: [DispatchTimeInterval] = [
    .microseconds(200), .milliseconds(1), .milliseconds(5), .milliseconds(25), .milliseconds(300),
    .milliseconds(700), .seconds(4), .seconds(4), .seconds(8), .seconds(16), .seconds(32),
    .seconds(64),
  ]

  private let state = Mutex(State())
  private let handler: @Sendable () -> Void
  private let readVersion: @Sendable () -> DataVersion?
  private let queue = DispatchQueue(label: "undercroft.sqlite-watch")

  init(
    _ handler: @escaping @Sendable () -> Void, _ readVersion: @escaping @Sendable () -> DataVersion?
  ) {
    self.handler = handler
    self.readVersion = readVersion
  }

  /// Sets the data version with which later polls compare the present data version.
  ///
  /// If `version` is `nil`, the next poll calls the handler. If an earlier call has passed a later
  /// generation, this call does nothing. The generation is a number that the connection pool
  /// increments whenever the files may have been replaced.
  func setBaseline(_ version: DataVersion?, in generation: Int) {
    state.withLock { state in
      // Later polls ignore versions of any other generation.
      if generation < state.generation { return }
      state.generation = generation
      state.version = version
    }
  }

  /// Discards the stored data version, so that the next poll calls the handler.
  ///
  /// The generation is a number that the connection pool increments whenever the files may have
  /// been replaced. If an earlier call of this function or of ``setBaseline(_:in:)`` has passed the
  /// same or a later generation, this call does nothing.
  func invalidate(in generation: Int) {
    state.withLock { state in
      if generation <= state.generation { return }
      state.generation = generation
      state.version = nil
    }
  }

  /// Reads the data version now and several times later, and calls the handler at each change.
  @Sendable func poll() {
    let number = nextEventNumber()
    checkVersion()
    pollLater(after: Self.pauses[...], for: number)
  }

  /// Reads the data version several times later, but not now, because an immediate read may wait
  /// for a writer.
  func pollLater() { pollLater(after: Self.pauses[...], for: nextEventNumber()) }

  private func nextEventNumber() -> Int {
    state.withLock { state in
      state.eventNumber += 1
      return state.eventNumber
    }
  }

  private func pollLater(after pauses: ArraySlice<DispatchTimeInterval>, for number: Int) {
    guard let pause = pauses.first else { return }
    queue.asyncAfter(deadline: .now() + pause) { [weak self] in
      guard let self, self.state.withLock({ $0.eventNumber == number }) else { return }
      self.checkVersion()
      self.pollLater(after: pauses.dropFirst(), for: number)
    }
  }

  /// Reads the present data version, and calls the handler if it differs from the stored version.
  ///
  /// Also stores the present version for the next comparison. If the present version cannot be
  /// read, does nothing. Also does nothing if the present version has another generation than the
  /// last call of ``setBaseline(_:in:)`` or ``invalidate(in:)``.
  private func checkVersion() {
    guard let version = readVersion() else { return }
    let isNew = state.withLock { state in
      // The thread that replaced the files is about to set the baseline and notify the observers.
      if version.generation != state.generation { return false }
      defer { state.version = version }
      return state.version != version
    }
    if isNew { handler() }
  }
}
