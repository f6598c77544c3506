import CSQLite
import UndercroftCore
import UndercroftFileSystem

/// Exclusive access to a database file, which excludes all other connections until this value is
/// released.
///
/// During the access, the file is complete by itself: the write-ahead log was moved into the file,
/// and no journal is beside the file.
struct ExclusiveAccess: ~Copyable {
  private let handle: SQLiteHandle

  /// Acquires exclusive access to the file at `path`.
  ///
  /// - Throws: ``StorageError/Code/locked`` if the file is open anywhere else, including in this
  ///   process; ``StorageError/Code/accessDenied`` if the file is not writable.
  init(_ path: String, lockTimeout: Duration) throws(StorageError) {
    let handle = try SQLiteHandle(path, .readWrite, lockTimeout: lockTimeout)
    guard !handle.isReadOnly else {
      throw StorageError(
        .accessDenied, "cannot lock \(quoted(path)) exclusively: the file is not writable",
        suggestion: "check the owner and mode of the file, and that its file system is writable",
        backend: SQLiteBackend.name)
    }
    do throws(StorageError) {
      // In this mode, SQLite does not release a lock once it was acquired. (`PRAGMA locking_mode`)
      for sql in ["PRAGMA locking_mode = EXCLUSIVE", "PRAGMA schema_version"] {
        try Statement(sql, on: handle.raw).run()
      }
      // Another process may have replaced the file while this connection waited for its lock. The
      // log at the path would then belong to the new file, and the next statement would move that
      // log into the old file.
      if handle.hasMoved { throw SQLiteHandle.replacedAtOpening(path) }
      try Statement("PRAGMA journal_mode = DELETE", on: handle.raw).run()
      try Statement("BEGIN EXCLUSIVE", on: handle.raw).run()
      try Statement("COMMIT", on: handle.raw).run()
    } catch  where error.code == .locked && error.underlying is SQLiteError {
      throw StorageError(
        .locked,
        "cannot lock \(quoted(path)) exclusively: another connection has the database open",
        suggestion: """
          close the database in all other processes; if a Database of this process has the file \
          open, close this Database, or repeat the call inside its whileClosed { files in … }
          """,
        backend: SQLiteBackend.name, underlying: error)
    }
    // The journal is no longer needed, and SQLite does not remove it in this mode.
    unlink(path + "-journal")
    self.handle = handle
  }

  /// The connection that has exclusive access, from which the database can be copied.
  var raw: OpaquePointer { handle.raw }
}
