import CSQLite
import Synchronization

/// The object through which other threads interrupt a connection. (`sqlite3_interrupt`)
///
/// An interrupted `ROLLBACK` would leave its transaction open. Interruptions therefore have no
/// effect while the connection rolls back. Interruptions also have no effect after the connection
/// is closed, because `sqlite3_interrupt` must not access a closed connection.
final class InterruptTarget: Sendable {
  private struct State {
    /// The address of the connection, or `nil` once the connection is closed.
    var connection: UInt?
    var isShielded = false
  }

  private let state: Mutex<State>

  init(_ connection: OpaquePointer) {
    state = Mutex(State(connection: UInt(bitPattern: connection)))
  }

  /// Interrupts the running statements of the connection.
  ///
  /// Does nothing while ``shielded(_:)`` runs, and after the connection is closed.
  func interrupt() {
    state.withLock { state in
      guard !state.isShielded, let address = state.connection else { return }
      if let connection = OpaquePointer(bitPattern: address) { sqlite3_interrupt(connection) }
    }
  }

  /// Runs `body` while interruptions have no effect.
  func shielded<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    state.withLock { $0.isShielded = true }
    defer { state.withLock { $0.isShielded = false } }
    try body()
  }

  /// Detaches this object from the connection.
  ///
  /// Must be called before the connection is closed.
  func end() { state.withLock { $0.connection = nil } }
}
