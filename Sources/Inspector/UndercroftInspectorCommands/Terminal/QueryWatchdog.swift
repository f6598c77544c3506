import Foundation
import Synchronization

/// A thread that ends the process if a statement does not end soon after its time limit.
///
/// SQLite examines the limit between two instructions of its virtual machine, and can spend hours
/// in one call of a function, such as `instr` with long texts. A command has only read when the
/// thread ends it.
final class QueryWatchdog: Sendable {
  /// The time after the limit, in which a statement usually ends by itself.
  private static let grace = Duration.seconds(2)
  private static let interval = 0.1

  private struct State {
    /// The start of the present period in which the statement runs, or `nil` while the command
    /// handles a row.
    var begin: ContinuousClock.Instant? = ContinuousClock.now
    /// The duration of the earlier periods.
    var spent = Duration.zero
    /// Whether the statement has ended.
    var isOver = false
    /// Whether the thread is ending the process.
    var isEnding = false

    mutating func stopClock() {
      if let begin { spent += begin.duration(to: .now) }
      begin = nil
    }
  }

  private let state = Mutex(State())

  /// Begins to watch a statement.
  ///
  /// - Parameters:
  ///   - limit: the time limit, or `nil` for none.
  ///   - end: a closure that ends the process.
  init(_ limit: Duration?, end: @escaping @Sendable () -> Never) {
    guard let limit else { return }
    Thread.detachNewThread { [self] in
      while !isOver {
        if isLate(limit + Self.grace) { end() }
        Thread.sleep(forTimeInterval: Self.interval)
      }
    }
  }

  /// Runs `body`, whose time does not count, such as that of writing a row.
  func pausing<Result>(_ body: () throws -> Result) rethrows -> Result {
    change { $0.stopClock() }
    defer { change { $0.begin = ContinuousClock.now } }
    return try body()
  }

  /// Ends the watch after the statement.
  func stop() { change { $0.isOver = true } }

  /// Changes the state, unless the process is ending: the command must then write nothing more.
  private func change(_ body: (inout State) -> Void) {
    let isEnding = state.withLock { state in
      if !state.isEnding { body(&state) }
      return state.isEnding
    }
    while isEnding { pause() }
  }

  private var isOver: Bool { state.withLock { $0.isOver } }

  /// Returns whether the statement has run longer than `limit`, and then makes the command wait.
  private func isLate(_ limit: Duration) -> Bool {
    state.withLock { state in
      guard !state.isOver, let begin = state.begin else { return false }
      state.isEnding = state.spent + begin.duration(to: .now) >= limit
      return state.isEnding
    }
  }
}
