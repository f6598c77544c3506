import UndercroftCore

/// A transaction or savepoint that a closure owns until ``commit()`` or ``rollBack()``.
///
/// On a connection that only reads, a nested scope has no effect.
struct TransactionScope: ~Copyable {
  private enum Kind {
    case transaction
    /// A savepoint, and the number of actions that waited for the end of the transaction when the
    /// savepoint began.
    case savepoint(endActionCount: Int)
    case nestedRead
  }

  private let state: ConnectionState
  private let kind: Kind

  /// Begins a transaction, or a savepoint if a closure already owns a transaction.
  ///
  /// ``ConnectionState/isInOwnTransaction`` shows whether a closure owns a transaction. SQLite's
  /// own state does not show this, because a transaction that no closure owns may be open, for
  /// example after a failed rollback. A savepoint inside that transaction would never be committed.
  /// If such a transaction is open, this initializer throws.
  init(beginning lock: TransactionLock, on connection: Connection) throws(StorageError) {
    let state = try connection.state
    let kind = try Self.begin(lock, on: state, mayWrite: connection.mayWrite)
    (self.state, self.kind) = (state, kind)
  }

  private static func begin(
    _ lock: TransactionLock, on state: ConnectionState, mayWrite: Bool
  ) throws(StorageError) -> Kind {
    if state.isInOwnTransaction {
      guard state.isInTransaction else { throw Connection.endedBefore(on: state.databaseName) }
      guard mayWrite else { return .nestedRead }
      let endActionCount = state.endActions.count
      try state.run(.savepoint)
      return .savepoint(endActionCount: endActionCount)
    }
    if state.isInTransaction {
      throw state.pendingRollback ?? Connection.openBefore(on: state.databaseName)
    }
    if mayWrite, lock == .deferred { state.schemaChecks.compareVersion() }
    try state.run(mayWrite ? lock.control : .begin)
    state.isInOwnTransaction = true
    return .transaction
  }

  /// Commits the transaction, or merges the savepoint into the transaction around it.
  ///
  /// If ``commit()`` throws, ``rollBack()`` must be called.
  borrowing func commit() throws(StorageError) {
    if case .nestedRead = kind { return }
    guard state.isInTransaction else { throw Connection.endedBefore(on: state.databaseName) }
    if case .savepoint = kind { return try state.run(.release) }
    try state.run(.commit)
    state.isInOwnTransaction = false
  }

  /// Rolls back the transaction or savepoint.
  borrowing func rollBack() {
    switch kind {
    case .transaction:
      // If this fails, the connection pool tries again, and closes the connection if that fails as
      // well.
      try? state.rollBack()
      state.isInOwnTransaction = false
    case .savepoint(let endActionCount): state.rollBackSavepoint(since: endActionCount)
    case .nestedRead: break
    }
  }
}

extension TransactionLock {
  fileprivate var control: TransactionControl {
    switch self {
    case .deferred: .begin
    case .immediate: .beginImmediate
    case .exclusive: .beginExclusive
    }
  }
}
