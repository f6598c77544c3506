import CSQLite
import Synchronization
package import UndercroftCore
import UndercroftFileSystem

extension Database {
  /// Replaces the whole content of this database with the content of `source`, in one transaction
  /// on the file of this database. (`sqlite3_backup_step`)
  ///
  /// Other processes can have the database open. These processes see the old content until the
  /// transaction commits. Observers are notified that any data may have changed.
  ///
  /// - Parameters:
  ///   - source: a database with the same page size. No thread or process may write to `source`
  ///     during this call, because `source` is not locked while this call waits for the lock of
  ///     this database.
  ///   - lockTimeout: the longest wait for other writers, or `nil` for the timeout of the database.
  ///   - isWanted: called when this connection holds the lock for writing and nothing is written
  ///     yet. The closure can read the file through a separate connection. If the closure returns
  ///     `false`, nothing is changed.
  /// - Returns: the result of `isWanted`.
  /// - Throws: any error that `isWanted` throws, unchanged. ``StorageError/Code/misuse`` inside a
  ///   read or write of either database. ``StorageError/Code/locked`` if another thread or process
  ///   does not release its lock in time; in this case, nothing is changed.
  @discardableResult
  package func overwrite(
    with source: Database, lockTimeout: Duration? = nil, if isWanted: () throws -> Bool = { true }
  ) throws -> Bool {
    defer { publishReopened() }
    let deadline = ContinuousClock.now + (lockTimeout ?? options.lockTimeout)
    return try source.reading { source in
      try writing(isTransaction: false) { target in
        if source.isInTransaction || target.isInTransaction {
          throw ConnectionPool.insideTransaction("overwrite \(pool.databaseName)")
        }
        let (sourceState, targetState) = (try source.state, try target.state)
        // The backup runs a separate transaction, which requires that no other statement is active.
        targetState.forgetStatements()
        let backup = try Backup(from: sourceState.raw, to: targetState.raw)
        // Each attempt locks the source, so an attempt must not wait: a process that holds this
        // file and waits for the source would deadlock with this thread.
        targetState.busyPolicy.patience = .zero
        defer { targetState.busyPolicy.patience = nil }
        while try !backup.lock() {
          guard ContinuousClock.now < deadline else { throw backup.locked }
          usleep(2_000)
        }
        guard try isWanted() else { return false }
        while try backup.step(-1) {}
        // The cached facts about values and tables describe the old content.
        pool.generation.add(1, ordering: .relaxed)
        return true
      }
    }
  }

  /// Throws if a file of the database was removed or replaced while the database was open.
  package func requireOpenFilesUnchanged() throws(StorageError) { try openFiles?.require() }
}
