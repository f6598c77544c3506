import Dispatch
import Synchronization
import UndercroftCore

/// A cancellation flag with which one thread interrupts the statements of another thread.
/// (`sqlite3_interrupt`)
///
/// After a cancellation, the running statement and every later statement fail until
/// ``interrupting(_:_:)`` ends. The connection remains usable.
package final class Interruption: StatementMonitor, Sendable {
  private struct State {
    var isCancelled = false
    /// The connection that can be interrupted, or `nil` outside of ``interrupting(_:_:)``.
    var target: InterruptTarget?
    /// The number of statements until the interruption cancels itself, or `nil` if it does not
    /// cancel itself.
    ///
    /// If the number is 1, the next statement does not run.
    var remaining: Int?

    mutating func count() {
      guard let count = remaining else { return }
      remaining = count - 1
      if count <= 1 { isCancelled = true }
    }
  }

  private let state = Mutex(State())
  /// The queue on which interruptions are repeated.
  ///
  /// A separate queue has a thread even while all threads of the shared pool are busy or blocked.
  private static let queue = DispatchQueue(label: "undercroft.sqlite-interruptions")

  package init() {}

  /// Creates an interruption that cancels itself before a certain statement.
  ///
  /// Tests use such an interruption to simulate that the process ends before the statement.
  ///
  /// - Parameter statement: the number of the first statement that does not run, counted from 1.
  package init(before statement: Int) { state.withLock { $0.remaining = max(1, statement) } }

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// A closure that returns whether the interruption is cancelled.
  ///
  /// A thread polls the closure while the thread waits for a connection.
  var cancellationCheck: () -> Bool { { self.isCancelled } }

  package func cancel() {
    state.withLock { $0.isCancelled = true }
    interrupt()
  }

  /// Interrupts the connection every 5 ms until ``interrupting(_:_:)`` ends.
  ///
  /// A single interruption is not enough, because `sqlite3_interrupt` has no effect while no
  /// statement runs. The connection calls ``check()`` before the first step of each statement. An
  /// interruption between this check and the first step would be lost.
  private func interrupt() {
    let isInUse = state.withLock { state in
      // Under the mutex, so that the call cannot interrupt the next user of the connection.
      state.target?.interrupt()
      return state.target != nil
    }
    guard isInUse else { return }
    Self.queue.asyncAfter(deadline: .now() + .milliseconds(5)) { [weak self] in
      self?.interrupt()
    }
  }

  /// Runs `body` on a connection, whose statements this interruption can interrupt until `body`
  /// returns.
  package func interrupting<Result>(
    _ connection: Connection, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let interrupted = try connection.state
    state.withLock { $0.target = interrupted.interrupts }
    interrupted.monitors.append(self)
    interrupted.busyPolicy.interruption = self
    defer {
      interrupted.busyPolicy.interruption = nil
      interrupted.monitors.removeAll { $0 === self }
      state.withLock { $0.target = nil }
    }
    try check()
    return try body(connection)
  }

  /// Runs the body of a transaction, and throws ``StorageError/Code/interrupted`` if the
  /// interruption was cancelled before the body returned.
  ///
  /// The caller then rolls back the transaction, even if the body has caught the error of the
  /// interrupted statement.
  func finishing<Result>(_ body: () throws -> Result) throws -> Result {
    let result = try body()
    try check()
    return result
  }

  /// Throws ``StorageError/Code/interrupted`` if the interruption was cancelled.
  func check() throws(StorageError) {
    guard isCancelled else { return }
    throw StorageError(
      .interrupted,
      "cannot continue a read, write or migration of a database: the calling task was cancelled",
      suggestion: """
        let the closure or migration step rethrow this error, because every later statement in the \
        closure or step would also fail
        """,
      backend: SQLiteBackend.name)
  }

  var dependsOnSchema: Bool { false }

  func willRun(_ sql: SQL?, _ access: StatementAccess) throws {
    state.withLock { $0.count() }
    try check()
  }

  func willStep(_ access: StatementAccess) throws(StorageError) { try check() }
}
