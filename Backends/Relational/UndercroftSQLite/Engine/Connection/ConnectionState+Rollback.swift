import CSQLite
import UndercroftCore

// How transactions and savepoints end after a failure. Outside of a transaction, the outermost
// savepoint is itself a transaction: its RELEASE is a COMMIT, which a deferred foreign key may
// refuse.
//
// An interruption remains in effect until no statement of the connection is active. Until then,
// every statement fails at its first step, including ROLLBACK TO and ROLLBACK, although these are
// shielded from new interruptions. A transaction must not be committed if a part of it could not be
// undone. The connection therefore stores the failure until the whole transaction has been rolled
// back.

extension ConnectionState {
  /// Rolls back the open transaction, if any, shielded from interruptions.
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

  /// Undoes the innermost savepoint, or the whole transaction if the savepoint cannot be undone.
  ///
  /// The whole transaction is rolled back in that case, because the caller assumes that the changes
  /// of the savepoint are undone. If SQLite has already rolled back the transaction by itself, this
  /// function does nothing.
  ///
  /// - Parameter endActionCount: the number of actions that waited for the end of the transaction
  ///   when the savepoint began.
  func rollBackSavepoint(since endActionCount: Int) {
    guard sqlite3_get_autocommit(raw) == 0 else { return }
    // After a failure, an inner savepoint may still be open, which ROLLBACK TO would undo instead.
    if rollbackFailure == nil {
      do throws(StorageError) {
        return try interrupts.shielded { () throws(StorageError) in
          try run(.rollbackTo)
          // Before the release: outside of a transaction, releasing the outermost savepoint is a
          // commit.
          run(endActions.remove(since: endActionCount), isCommitted: false)
          try run(.release)
        }
      } catch {
        rollbackFailure = error
      }
    }
    // If this fails, the connection pool tries again when no statement is active.
    try? rollBack()
  }

  /// Releases the innermost savepoint after its statement has failed, shielded from interruptions.
  ///
  /// SQLite has already retained or undone the changes of the failed statement, and the caller
  /// receives only the error of the statement. If the release fails, calls
  /// ``rollBackSavepoint(since:)`` with `endActionCount`.
  func releaseAfterFailure(since endActionCount: Int) {
    guard sqlite3_get_autocommit(raw) == 0 else { return }
    do throws(StorageError) {
      try interrupts.shielded { () throws(StorageError) in try run(.release) }
    } catch {
      rollBackSavepoint(since: endActionCount)
    }
  }

  /// The error that every further call throws, or `nil` if the transaction can continue.
  ///
  /// The open transaction cannot continue after the rollback of one of its savepoints has failed.
  var pendingRollback: StorageError? {
    // SQLite may have rolled back the transaction by itself since the failure.
    guard let failure = rollbackFailure, sqlite3_get_autocommit(raw) == 0 else { return nil }
    let cause = (failure.underlying as? SQLiteError).map { "\($0)" } ?? failure.failure
    return StorageError(
      failure.code,
      """
      cannot continue the transaction on \(databaseName): one of its savepoints could not be \
      rolled back (\(cause)), so the whole transaction is rolled back
      """,
      suggestion: "remove the cause of this failure, and repeat the whole write { db in … }",
      backend: SQLiteBackend.name, underlying: failure.underlying)
  }

  /// Throws ``pendingRollback`` if it is not `nil`.
  ///
  /// If it is `nil`, either no rollback has failed, or the transaction of the failed rollback is no
  /// longer open. In both cases, this function clears ``rollbackFailure``.
  func requireSound() throws(StorageError) {
    if let error = pendingRollback { throw error }
    rollbackFailure = nil
  }

  /// The database in error messages; see ``DatabaseFile/name(of:)``.
  var databaseName: String { DatabaseFile.name(of: raw) }
}
