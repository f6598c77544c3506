import CSQLite
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

extension DatabaseView {
  /// Opens the database through a connection whose read transaction lasts as long as the view, so
  /// that the connection holds a shared lock.
  ///
  /// With a write-ahead log, other processes can write, but cannot restart the log. Without one,
  /// writers wait. SQLite neither creates nor writes the index of the log. (`readonly_shm`)
  ///
  /// If no process has a database with a log open, the database is read without a lock.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if SQLite would have to create or change files.
  init(locking path: String) throws(StorageError) {
    let path = DatabaseFile.resolved(path)
    try DatabaseFile.require(path)
    // The lock of this connection prevents that an application which closes the database removes
    // the log before SQLite has opened it. SQLite would then create a log.
    let source = try DatabaseSource(path)
    try source.lock()
    // The application may have changed the header before the lock was acquired.
    let usesLog = DatabaseSource.usesLog(try source.read(at: 0, 100))
    if usesLog, !["-wal", "-shm"].allSatisfy({ DatabaseFile.exists(path + $0) }) {
      // No process has the database open, and a locked connection would create the files of the
      // log. The view without a lock detects whether another process opens and changes it.
      _ = consume source
      try self.init(path)
      return
    }
    let parameters = "readonly_shm=1&\(try ReadingVFS.parameters)"
    let handle = try SQLiteHandle(path, .virtual(parameters: parameters))
    do throws(StorageError) {
      try handle.connection(mayWrite: false).configure(nil)
      for sql in ["BEGIN", "SELECT count(*) FROM sqlite_schema"] {
        try Statement(sql, on: handle.raw).run()
      }
    } catch {
      guard SQLiteError.Code.readOnly ~= error else { throw error }
      throw Self.lockFailure(
        path, "the journal beside the database contains changes that must be recovered first",
        error)
    }
    // A transaction that an inspection begins then has no effect.
    handle.state.isInOwnTransaction = true
    self.init(locked: handle, by: source, path, usesLog: usesLog)
  }

  private static func lockFailure(
    _ path: String, _ reason: String, _ cause: (any Error)? = nil
  ) -> StorageError {
    StorageError(
      .unavailable, "cannot lock \(quoted(path)): \(reason)",
      suggestion: "repeat the command with --snapshot instead of --lock",
      backend: SQLiteBackend.name, underlying: cause)
  }
}

extension StorageError {
  /// The same error with the code ``StorageError/Code/busy`` if another process held a lock for
  /// longer than the timeout.
  var asBusy: StorageError {
    guard SQLiteError.Code.busy ~= self else { return self }
    return StorageError(
      .busy, failure, suggestion: "repeat the call when other connections write less often",
      backend: backend, key: key, underlying: underlying)
  }
}
