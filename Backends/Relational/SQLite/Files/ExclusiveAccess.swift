import CSQLite
import UndercroftCore
import UndercroftFileSystem

/// A database file that nobody else has open, whole by itself: its log is in it, and no journal stands beside it.
///
/// Keeps everybody else out until it is released.
struct ExclusiveAccess: ~Copyable {
  private let handle: SQLiteHandle

  /// - Throws: ``StorageError/Code/locked`` when anybody has it open, be it in this process.
  init(_ path: String, lockTimeout: Duration) throws(StorageError) {
    let handle = try SQLiteHandle(path, .readWrite, lockTimeout: lockTimeout)
    guard !handle.isReadOnly else {
      throw StorageError(
        .accessDenied, "cannot have \(quoted(path)) alone: it may not be written",
        cure: "check owner and mode of the file, and that its file system may be written",
        backend: SQLiteBackend.name)
    }
    do throws(StorageError) {
      // In this mode the first lock is the last one, and it is kept. (`PRAGMA locking_mode`)
      for sql in ["PRAGMA locking_mode = EXCLUSIVE", "PRAGMA schema_version"] {
        try Statement(sql, on: handle.raw).run()
      }
      // Another process may have replaced the file while this connection waited for its lock. The log at the place would be that of
      // the new file, which the next statement would move into the old one.
      if handle.hasMoved { throw SQLiteHandle.replacedAtOpening }
      try Statement("PRAGMA journal_mode = DELETE", on: handle.raw).run()
      try Statement("BEGIN EXCLUSIVE", on: handle.raw).run()
      try Statement("COMMIT", on: handle.raw).run()
    } catch  where error.code == .locked {
      throw StorageError(
        .locked, "cannot have \(quoted(path)) alone: it is open elsewhere",
        cure: "close it there, or do this in whileClosed { files in … }",
        backend: SQLiteBackend.name, underlying: error)
    }
    // It is used up, and in this mode SQLite would leave it there.
    unlink(path + "-journal")
    self.handle = handle
  }

  /// The connection, for making a copy.
  var raw: OpaquePointer { handle.raw }
}
