import CSQLite
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The way in which an inspection reads a database file without changing any file.
enum ReadingMode {
  /// The file together with its write-ahead log.
  case withLog
  /// The file alone, with the locks of SQLite.
  case locked
  /// The file alone, without locks.
  case unlocked
  /// A private copy of the file and its rollback journal.
  case copied

  /// Chooses the mode for the file at `path`, which must not be a symbolic link.
  ///
  /// A caller that reads without locks records the state of the files before the call, and compares
  /// it afterwards. If another process holds an exclusive lock, the call takes 100 ms, so that each
  /// write during the reading results in another modification time.
  init(for path: String, _ source: borrowing DatabaseSource) throws(StorageError) {
    if DatabaseFile.hasLog(path) {
      self = .withLog
    } else if Self.mayBeHot(journal: path + "-journal") {
      // A process that was killed while it enabled the write-ahead log also leaves such a journal.
      self = .copied
    } else if source.usesLog {
      // Without a log, no application has the database open.
      self = .unlocked
    } else {
      // An application with an exclusive locking mode holds its lock until it ends.
      self = source.excludesReaders() ? .unlocked : .locked
    }
  }

  /// Returns whether a rollback journal may contain changes that must be rolled back.
  ///
  /// With `PRAGMA journal_mode = TRUNCATE` or `PERSIST`, a journal remains beside the file, and its
  /// first byte is missing or 0.
  private static func mayBeHot(journal path: String) -> Bool {
    guard DatabaseFile.exists(path) else { return false }
    do {
      let start = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK).read(1, at: 0)
      return start.first ?? 0 != 0
    } catch {
      return true
    }
  }
}

extension DatabaseSource {
  /// Returns whether a process holds a lock that excludes readers during the whole call, which
  /// takes 100 ms in this case. (`xLock`, `xUnlock`)
  fileprivate func excludesReaders() -> Bool {
    guard let file = Self.file(of: handle.raw),
      let methods = file.pointee.pMethods?.pointee, let lock = methods.xLock,
      let unlock = methods.xUnlock
    else { return false }
    for _ in 0..<10 {
      let code = lock(file, SQLITE_LOCK_SHARED)
      guard code & 0xff == SQLITE_BUSY else {
        if code == SQLITE_OK { _ = unlock(file, SQLITE_LOCK_NONE) }
        // SQLite reports any other failure when it reads the file.
        return false
      }
      usleep(10_000)
    }
    return true
  }
}
