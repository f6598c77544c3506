import CGDBM
import UndercroftCore
import UndercroftFileSystem

extension StorageError {
  /// The error for what GDBM reported last on this thread.
  static func gdbm(_ action: String, _ path: String) -> StorageError {
    let code = undercroft_gdbm_errno()
    let failure = errno
    let text = String(cString: gdbm_strerror(code))
    // A damaged file sends GDBM to places that no file has: that is no failure of the system.
    if gdbm_check_syserr(code) != 0, failure != 0, failure != EINVAL {
      errno = failure
      return .system(action, path)
    }
    if code == Int32(GDBM_MALLOC_ERROR) { return .system(action, path, number: ENOMEM) }
    return StorageError(
      .corrupted, "cannot \(action) \(quoted(path)): \(text.lowercased())",
      cure: "restore the file from a backup; nothing was changed")
  }

  /// The error for a failed call that writes a new file, with the system's error number or 0.
  ///
  /// After a failed write of a bucket GDBM reports that the database needs recovery. A file that is
  /// not in use yet cannot be damaged.
  static func writingGDBM(_ path: String, number: Int32) -> StorageError {
    if undercroft_gdbm_errno() == Int32(GDBM_MALLOC_ERROR) {
      return .system("write", path, number: ENOMEM)
    }
    return .system("write", path, number: number == 0 ? EIO : number)
  }
}
