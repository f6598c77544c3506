import CSQLite
import UndercroftCore

extension Connection {
  /// Whether a transaction is open on this connection. (`sqlite3_get_autocommit`)
  public var isInTransaction: Bool { sqlite3_get_autocommit(raw) == 0 }

  /// Runs `body` in a transaction of its own, or within another one in a savepoint: undone alone when it throws.
  ///
  /// - Throws: what `body` throws, unchanged; ``StorageError/Code/locked`` when another process does not let go in time.
  @discardableResult
  public func transaction<Result>(
    _ lock: TransactionLock = .immediate, _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try transaction(lock, orThrow: { $0 as any Error }, body)
  }

  /// The same with errors of the engine passed through `wrap`; on a connection that only reads, a nested transaction is a plain call.
  ///
  /// Which transactions are nested is known from ``ConnectionState/isInOwnTransaction``, not from SQLite: a transaction that is open without
  /// a closure of its own would take the writes of every later call for its own, and none of them would ever be committed.
  func transaction<Result, Failure: Error>(
    _ lock: TransactionLock = .immediate, orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if state.isInOwnTransaction {
      guard isInTransaction else { throw wrap(Self.endedBefore) }
      return try mayWrite ? savepoint(orThrow: wrap, body) : body(self)
    }
    if isInTransaction { throw wrap(state.pendingRollback ?? Self.openBefore) }
    do throws(StorageError) {
      try state.run(mayWrite ? lock.control : .begin)
    } catch {
      throw wrap(error)
    }
    state.isInOwnTransaction = true
    defer { state.isInOwnTransaction = false }
    do throws(Failure) {
      let result = try body(self)
      do throws(StorageError) { try end() } catch { throw wrap(error) }
      return result
    } catch {
      // The pool tries again, and closes the connection if that fails as well.
      try? state.rollBack()
      throw error
    }
  }

  private func end() throws(StorageError) {
    guard isInTransaction else { throw Self.endedBefore }
    try state.run(.commit)
  }

  private func savepoint<Result, Failure: Error>(
    orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let endingCount = state.endings.count
    do throws(StorageError) { try state.run(.savepoint) } catch { throw wrap(error) }
    do throws(Failure) {
      let result = try body(self)
      do throws(StorageError) {
        guard isInTransaction else { throw Self.endedBefore }
        try state.run(.release)
      } catch {
        throw wrap(error)
      }
      return result
    } catch {
      state.rollBackSavepoint(since: endingCount)
      throw error
    }
  }

  static var endedBefore: StorageError {
    .sqliteMisuse(
      "cannot go on: the transaction had ended before its closure did, and nothing of it was kept",
      cure: "rethrow the errors of statements inside the closure")
  }

  static var openBefore: StorageError {
    .sqliteMisuse(
      "cannot begin a transaction: one is open on this connection already, which no closure owns",
      cure: "call it again: the open transaction has been rolled back")
  }

  static var leftOpen: StorageError {
    .sqliteMisuse(
      "cannot commit: the call has left a transaction open, which was rolled back",
      cure: "begin transactions with write { db in … } or db.transaction { db in … }")
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
