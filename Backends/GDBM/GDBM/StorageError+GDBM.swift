import CGDBM
import UndercroftCore
import UndercroftFileSystem

extension StorageError {
  /// The error for what GDBM reported last on this thread.
  static func gdbm(_ action: String, _ path: String) -> StorageError {
    let code = undercroft_gdbm_errno()
    let failure = errno
    let text = String(cString: gdbm_strerror(code))
    if gdbm_check_syserr(code) != 0, failure != 0 {
      errno = failure
      return .system(action, path)
    }
    return StorageError(
      .corrupted, "cannot \(action) \(quoted(path)): \(text.lowercased())",
      cure: "restore the file from a backup; nothing was changed")
  }
}
