import CSQLite
import UndercroftCore

// How transactions and savepoints end after a failure. The outermost savepoint outside of a transaction is a transaction: its RELEASE is a
// COMMIT, which a deferred foreign key may refuse.
//
// SQLite keeps an interruption until no statement of the connection is active. Until then it fails every statement at its first step, also
// ROLLBACK TO and ROLLBACK, although no new interruption can reach them. A transaction with a part that was not undone must never be
// committed, so the connection remembers the failure until the whole transaction has been rolled back.

extension ConnectionState {
  /// Rolls back the open transaction, if there is one; no interruption can reach that.
  func rollBack() throws(StorageError) {
    guard sqlite3_get_autocommit(raw) == 0 else {
      rollbackFailure = nil
      return
    }
    do throws(StorageError) {
      try interrupts.shielded { () throws(StorageError) in try run(.rollback) }
      rollbackFailure = nil
    } catch {
      rollbackFailure = rollbackFailure ?? error
      throw error
    }
  }

  /// Undoes the innermost savepoint, or the whole transaction if that fails: nothing may stay of what its caller takes for undone.
  ///
  /// A transaction that SQLite has rolled back by itself has no savepoint any more.
  ///
  /// - Parameter endingCount: how many actions waited for the end of the transaction when the savepoint began.
  func rollBackSavepoint(since endingCount: Int) {
    guard sqlite3_get_autocommit(raw) == 0 else { return }
    // A savepoint further in may still be open, which ROLLBACK TO would mean instead of this one.
    if rollbackFailure == nil {
      do throws(StorageError) {
        return try interrupts.shielded { () throws(StorageError) in
          try run(.rollbackTo)
          // Before the release, which commits the outermost savepoint outside of a transaction.
          run(endings.take(since: endingCount), isCommitted: false)
          try run(.release)
        }
      } catch {
        rollbackFailure = error
      }
    }
    // The pool tries again, when no statement is active any more.
    try? rollBack()
  }

  /// Releases the innermost savepoint after its statement failed, out of reach of interruptions: the statement itself has kept or undone
  /// what it did, and its caller learns of its error alone.
  func releaseAfterFailure(since endingCount: Int) {
    guard sqlite3_get_autocommit(raw) == 0 else { return }
    do throws(StorageError) {
      try interrupts.shielded { () throws(StorageError) in try run(.release) }
    } catch {
      rollBackSavepoint(since: endingCount)
    }
  }

  /// The error of every further call if the open transaction contains changes that could not be undone; `nil` for a sound transaction.
  var pendingRollback: StorageError? {
    // SQLite may have rolled back the transaction by itself meanwhile.
    guard let failure = rollbackFailure, sqlite3_get_autocommit(raw) == 0 else { return nil }
    return StorageError(
      failure.code,
      "cannot go on: a part of the transaction could not be rolled back, so all of it will be (\(failure.message))",
      cure: "run the whole write again", backend: SQLiteBackend.name,
      underlying: failure.underlying)
  }

  /// Throws the error of ``pendingRollback``, if there is one.
  func requireSound() throws(StorageError) {
    if let error = pendingRollback { throw error }
    rollbackFailure = nil
  }
}
