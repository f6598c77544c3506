import CSQLite
import Synchronization

/// A connection as a target of interruptions by other threads. (`sqlite3_interrupt`)
///
/// An interrupted `ROLLBACK` would leave its transaction open, so a connection is out of reach while it rolls back, and once it is closed.
final class InterruptTarget: Sendable {
  private struct State {
    /// The address of the connection; `nil` once it is closed.
    var connection: UInt?
    var isShielded = false
  }

  private let state: Mutex<State>

  init(_ connection: OpaquePointer) {
    state = Mutex(State(connection: UInt(bitPattern: connection)))
  }

  /// Fails the statements that the connection is running.
  func interrupt() {
    state.withLock { state in
      guard !state.isShielded, let address = state.connection else { return }
      if let connection = OpaquePointer(bitPattern: address) { sqlite3_interrupt(connection) }
    }
  }

  /// Runs `body` out of reach.
  func shielded<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    state.withLock { $0.isShielded = true }
    defer { state.withLock { $0.isShielded = false } }
    try body()
  }

  /// Must be called before the connection is closed.
  func end() { state.withLock { $0.connection = nil } }
}
