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

  /// The same with errors of the engine passed through `wrap`; for a connection that only reads, a nested one is nothing at all.
  func transaction<Result, Failure: Error>(
    _ lock: TransactionLock = .immediate, orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let inner = Connection(raw: raw, state: state, mayWrite: mayWrite, isTransactional: true)
    if isInTransaction {
      return try mayWrite ? inner.savepoint(orThrow: wrap, body) : body(inner)
    }
    if isTransactional { throw wrap(Self.endedBefore) }
    do throws(StorageError) {
      try state.run(mayWrite ? lock.control : .begin)
    } catch {
      throw wrap(error)
    }
    do throws(Failure) {
      let result = try body(inner)
      do throws(StorageError) { try end() } catch { throw wrap(error) }
      return result
    } catch {
      // The library has rolled back by itself after the gravest errors.
      if isInTransaction { try? state.run(.rollback) }
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
      if isInTransaction {
        try? state.run(.rollbackTo)
        try? state.run(.release)
      }
      throw error
    }
  }

  static var endedBefore: StorageError {
    .sqliteMisuse(
      "cannot go on: the transaction had ended before its closure did, and nothing of it was kept",
      cure: "let no error of a statement pass unseen")
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
