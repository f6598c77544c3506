import CSQLite
import UndercroftCore

/// A running copy of one database into another. (`sqlite3_backup_init`)
///
/// Both connections must stay open until the copy is released. The source connection should be
/// inside a read transaction, so that all steps copy the same state.
struct Backup: ~Copyable {
  private let raw: OpaquePointer
  private let source: OpaquePointer
  private let target: OpaquePointer

  init(from source: OpaquePointer, to target: OpaquePointer) throws(StorageError) {
    guard let raw = sqlite3_backup_init(target, "main", source, "main") else {
      throw Self.failure(
        SQLiteError(sqlite3_extended_errcode(target), on: target, sql: nil), source, target)
    }
    self.raw = raw
    self.source = source
    self.target = target
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
    default: throw failure(code)
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
      throw failure(code)
    }
    return true
  }

  /// The error to throw if ``lock()`` has not succeeded in time.
  var locked: StorageError {
    failure(SQLITE_BUSY)
  }

  private func failure(_ code: Int32) -> StorageError {
    Self.failure(SQLiteError(code, on: nil, sql: nil), source, target)
  }

  private static func failure(
    _ error: SQLiteError, _ source: OpaquePointer, _ target: OpaquePointer
  ) -> StorageError {
    .sqlite("copy \(DatabaseFile.name(of: source)) to \(DatabaseFile.name(of: target))", error)
  }
}
