import CSQLite
import UndercroftCore

/// A copy of one database into another under way. (`sqlite3_backup_init`)
///
/// Both connections must stay open meanwhile. The source is asked for one state, so it is to be inside a transaction that reads.
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

  /// How far it was after the last step.
  var progress: BackupProgress {
    BackupProgress(
      remainingPages: Int(sqlite3_backup_remaining(raw)),
      totalPages: Int(sqlite3_backup_pagecount(raw)))
  }

  /// Copies some pages, all if the number is negative; returns `false` when it is done. (`sqlite3_backup_step`)
  func step(_ pages: Int) throws(StorageError) -> Bool {
    let code = sqlite3_backup_step(raw, Int32(clamping: pages))
    switch code {
    case SQLITE_OK: return true
    case SQLITE_DONE: return false
    default: throw .sqlite("copy the database", SQLiteError(code, on: nil, sql: nil))
    }
  }

  /// Keeps others from writing to the target, and copies nothing yet; `false` when another one is writing. (`sqlite3_backup_step` of no pages)
  func lock() throws(StorageError) -> Bool {
    let code = sqlite3_backup_step(raw, 0)
    if code & 0xff == SQLITE_BUSY || code & 0xff == SQLITE_LOCKED { return false }
    guard code == SQLITE_OK || code == SQLITE_DONE else {
      throw .sqlite("copy the database", SQLiteError(code, on: nil, sql: nil))
    }
    return true
  }

  /// What ``lock()`` has waited for in vain.
  var locked: StorageError {
    .sqlite("copy the database", SQLiteError(SQLITE_BUSY, on: nil, sql: nil))
  }
}
