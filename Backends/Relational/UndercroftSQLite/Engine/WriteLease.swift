import UndercroftCore

/// The exclusive use of the writer connection by one write.
///
/// When an outermost write ends, its lease reports the changes to the observers.
struct WriteLease: ~Copyable {
  private let lease: ConnectionLease
  private let database: Database
  /// The origin of the write, which observers receive, or `nil` if the write is inside another
  /// write.
  private let origin: Database.Origin?
  /// The version of the database's ``RowGate`` when the write began, or `nil` before
  /// ``begin(isTransaction:)``.
  private var gateVersion: Int?

  /// Creates the lease of a write inside another use of the writer by the same thread.
  init(nesting lease: consuming ConnectionLease, in database: Database) {
    self.lease = lease
    self.database = database
    origin = nil
  }

  /// Creates the lease of an outermost write.
  init(
    outermost lease: consuming ConnectionLease, in database: Database, from origin: Database.Origin
  ) {
    self.lease = lease
    self.database = database
    self.origin = origin
    let state = self.lease.state
    if state.entryWrites.listeners == nil { state.entryWrites.listeners = database.entryListeners }
  }

  var connection: Connection { lease.connection }

  /// Prepares the database's ``RowGate`` for an outermost write, which runs in one transaction if
  /// `isTransaction` is `true`.
  mutating func begin(isTransaction: Bool) {
    gateVersion = database.gate.willWrite(lease.state, isTransaction: isTransaction)
  }

  /// Checks that the result of the write is valid; see ``ConnectionLease/requireEnded()``.
  borrowing func requireEnded() throws(StorageError) { try lease.requireEnded() }

  /// Returns the connection to the pool, and notifies the observers of an outermost write.
  borrowing func release() {
    guard let origin else { return lease.release() }
    let state = lease.state
    if let gateVersion { database.gate.didWrite(state, since: gateVersion, from: origin) }
    let actions = state.endUse()
    let due = state.endEntryWrites()
    lease.release()
    for action in actions { action() }
    database.gate.deliver()
    for entry in due { entry.listener.deliver() }
  }
}
