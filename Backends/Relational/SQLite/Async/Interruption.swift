import CSQLite
import Synchronization
import UndercroftCore

/// Lets one thread end what another one does on a connection. (`sqlite3_interrupt`)
///
/// The connection is as good as before: the statement at hand fails, and every later one until the interruption is taken away.
package final class Interruption: StatementMonitor, Sendable {
  private struct State {
    var isCancelled = false
    /// The address of the connection, as long as it is in use for this.
    var connection: UInt?
  }

  private let state = Mutex(State())

  package init() {}

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  package func cancel() {
    state.withLock { state in
      state.isCancelled = true
      // Under the lock, so that it cannot hit whoever has the connection next.
      if let connection = state.connection.flatMap(OpaquePointer.init(bitPattern:)) {
        sqlite3_interrupt(connection)
      }
    }
  }

  /// Runs `body` so that it can be interrupted.
  package func around<Result>(
    _ connection: borrowing Connection, _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    let interrupted = connection.state
    let address = UInt(bitPattern: connection.raw)
    state.withLock { $0.connection = address }
    interrupted.monitors.append(self)
    interrupted.busyPolicy.interruption = self
    defer {
      interrupted.busyPolicy.interruption = nil
      interrupted.monitors.removeAll { $0 === self }
      state.withLock { $0.connection = nil }
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
