import CSQLite
import UndercroftCore

extension Connection {
  /// Whether a transaction is open on this connection. (`sqlite3_get_autocommit`)
  public var isInTransaction: Bool { stateIfValid?.isInTransaction ?? false }

  /// Runs `body` in a transaction, or in a savepoint if a transaction is already open.
  ///
  /// If `body` throws, its changes are undone, and those of the surrounding transaction are not.
  ///
  /// - Throws: any error of `body`, unchanged; ``StorageError/Code/locked`` if another process
  ///   holds the lock until the lock timeout.
  @discardableResult
  public func transaction<Result>(
    _ lock: TransactionLock = .immediate, _ body: (Connection) throws -> Result
  ) throws -> Result {
    try transaction(lock, orThrow: { $0 as any Error }, body)
  }

  /// Runs `body` in a transaction or a savepoint, and passes errors of the engine through `wrap`.
  ///
  /// On a connection that only reads, a nested transaction is a plain call of `body`.
  ///
  /// ``ConnectionState/isInOwnTransaction`` decides whether a transaction is nested. If SQLite's
  /// own state decided, the writes of later calls would join a transaction that no closure owns,
  /// and would never be committed.
  func transaction<Result, Failure: Error>(
    _ lock: TransactionLock = .immediate, orThrow wrap: (StorageError) -> Failure,
    _ body: (Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let state: ConnectionState
    do throws(StorageError) { state = try self.state } catch { throw wrap(error) }
    if state.isInOwnTransaction {
      guard state.isInTransaction else { throw wrap(Self.endedBefore) }
      return try mayWrite ? savepoint(on: state, orThrow: wrap, body) : body(self)
    }
    if state.isInTransaction { throw wrap(state.pendingRollback ?? Self.openBefore) }
    do throws(StorageError) {
      try state.run(mayWrite ? lock.control : .begin)
    } catch {
      throw wrap(error)
    }
    state.isInOwnTransaction = true
    defer { state.isInOwnTransaction = false }
    do throws(Failure) {
      let result = try body(self)
      do throws(StorageError) { try end(state) } catch { throw wrap(error) }
      return result
    } catch {
      // If this fails, the connection pool tries again, and closes the connection if that fails as
      // well.
      try? state.rollBack()
      throw error
    }
  }

  private func end(_ state: ConnectionState) throws(StorageError) {
    guard state.isInTransaction else { throw Self.endedBefore }
    try state.run(.commit)
  }

  private func savepoint<Result, Failure: Error>(
    on state: ConnectionState, orThrow wrap: (StorageError) -> Failure,
    _ body: (Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let endingCount = state.endings.count
    do throws(StorageError) { try state.run(.savepoint) } catch { throw wrap(error) }
    do throws(Failure) {
      let result = try body(self)
      do throws(StorageError) {
        guard state.isInTransaction else { throw Self.endedBefore }
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
      "cannot continue: the transaction ended before its closure, and its changes were rolled back",
      suggestion: "rethrow the errors of statements inside the closure")
  }

  static var openBefore: StorageError {
    .sqliteMisuse(
      "cannot begin a transaction: a transaction that no closure owns is already open on this connection",
      suggestion: "call it again: the open transaction has been rolled back")
  }

  static var leftOpen: StorageError {
    .sqliteMisuse(
      "cannot commit: the closure left a transaction open, which was rolled back",
      suggestion: "begin transactions with write { db in … } or db.transaction { db in … }")
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
