import CSQLite
import UndercroftCore

// How transactions and savepoints end after a failure. The outermost savepoint outside of a transaction is a transaction: its RELEASE is a
// COMMIT, which a deferred foreign key may refuse.

extension ConnectionState {
  /// Rolls back the open transaction, if there is one; no interruption can reach that.
  func rollBack() throws(StorageError) {
    guard sqlite3_get_autocommit(raw) == 0 else { return }
    try interrupts.shielded { () throws(StorageError) in try run(.rollback) }
  }

  /// Undoes the innermost savepoint, or the whole transaction if that fails: nothing may stay of what its caller takes for undone.
  ///
  /// A transaction that SQLite has rolled back by itself has no savepoint any more.
  func rollBackSavepoint() {
    guard sqlite3_get_autocommit(raw) == 0 else { return }
    do throws(StorageError) {
      try interrupts.shielded { () throws(StorageError) in
        try run(.rollbackTo)
        try run(.release)
      }
    } catch {
      try? rollBack()
    }
  }

  /// Releases the innermost savepoint after its statement failed, out of reach of interruptions: the statement itself has kept or undone
  /// what it did, and its caller learns of its error alone.
  func releaseAfterFailure() {
    guard sqlite3_get_autocommit(raw) == 0 else { return }
    do throws(StorageError) {
      try interrupts.shielded { () throws(StorageError) in try run(.release) }
    } catch {
      rollBackSavepoint()
    }
  }
}
