import CSQLite
import UndercroftCore

/// A running copy of one database into another. (`sqlite3_backup_init`)
///
/// Both connections must stay open until the copy is released. The source connection should be
/// inside a read transaction, so that all steps copy the same state.
struct Backup: ~Copyable {
  private let raw: OpaquePointer

  init(from source: OpaquePointer, to target: OpaquePointer) throws(StorageError) {
    guard let raw = sqlite3_backup_init(target, "main", source, "main") else {
      throw .sqlite(
        "copy the database", SQLiteError(sqlite3_extended_errcode(target), on: target, sql: nil))
    }
    self.raw = raw
  }

  deinit { sqlite3_backup_finish(raw) }

  /// The progress of the copy after the last call of ``step(_:)``.
  var progress: Database.BackupProgress {
    Database.BackupProgress(
      remainingPages: Int(sqlite3_backup_remaining(raw)),
      totalPages: Int(sqlite3_backup_pagecount(raw)))
  }

  /// Copies up to `pages` pages, or all pages if the number is negative. (`sqlite3_backup_step`)
  ///
  /// - Returns: whether pages remain to be copied.
  func step(_ pages: Int) throws(StorageError) -> Bool {
    let code = sqlite3_backup_step(raw, Int32(clamping: pages))
    switch code {
    case SQLITE_OK: return true
    case SQLITE_DONE: return false
    default: throw .sqlite("copy the database", SQLiteError(code, on: nil, sql: nil))
    }
  }

  /// Locks the target against other writers without copying a page.
  /// (`sqlite3_backup_step` of no pages)
  ///
  /// - Returns: whether the lock was acquired. `false` means that another connection holds a lock.
  func lock() throws(StorageError) -> Bool {
    let code = sqlite3_backup_step(raw, 0)
    if code & 0xff == SQLITE_BUSY || code & 0xff == SQLITE_LOCKED { return false }
    guard code == SQLITE_OK || code == SQLITE_DONE else {
      throw .sqlite("copy the database", SQLiteError(code, on: nil, sql: nil))
    }
    return true
  }

  /// The error to throw if ``lock()`` has not succeeded in time.
  var locked: StorageError {
    .sqlite("copy the database", SQLiteError(SQLITE_BUSY, on: nil, sql: nil))
  }
}
