import Dispatch
import Synchronization
import UndercroftCore

/// Lets one thread end what another one does on a connection. (`sqlite3_interrupt`)
///
/// The connection is as good as before: the statement at hand fails, and every later one until the interruption is taken away.
package final class Interruption: StatementMonitor, Sendable {
  private struct State {
    var isCancelled = false
    /// The connection, as long as it is in use for this.
    var target: InterruptTarget?
  }

  private let state = Mutex(State())
  /// Of its own, and so with a thread even while all those of the shared pool are busy or blocked.
  private static let queue = DispatchQueue(label: "undercroft.sqlite-interruptions")

  package init() {}

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// What a thread that waits for a connection asks again and again.
  var cancellationCheck: () -> Bool { { self.isCancelled } }

  package func cancel() {
    state.withLock { $0.isCancelled = true }
    interrupt()
  }

  /// Interrupts until the connection is not in use for this any more.
  ///
  /// Once is not enough: SQLite forgets an interruption that comes between the last check before a statement and its first step.
  private func interrupt() {
    let isInUse = state.withLock { state in
      // Under the lock, so that it cannot hit whoever has the connection next.
      state.target?.interrupt()
      return state.target != nil
    }
    guard isInUse else { return }
    Self.queue.asyncAfter(deadline: .now() + .milliseconds(5)) { [weak self] in
      self?.interrupt()
    }
  }

  /// Runs `body` so that it can be interrupted.
  package func around<Result>(
    _ connection: borrowing Connection, _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    let interrupted = connection.state
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

  /// Runs the body of a transaction; one that has swallowed the interruption is not committed for that.
  func finishing<Result>(_ body: () throws -> Result) throws -> Result {
    let result = try body()
    try check()
    return result
  }

  /// Throws when it was cancelled.
  func check() throws(StorageError) {
    guard isCancelled else { return }
    throw StorageError(
      .interrupted, "cannot go on: the task was cancelled", backend: SQLiteBackend.name)
  }

  var goesByTables: Bool { false }

  func willRun(_ sql: SQL?, _ access: StatementAccess) throws { try check() }

  func willStep(_ access: StatementAccess) throws(StorageError) { try check() }
}
