import CGDBM
import UndercroftCore
import UndercroftFileSystem

extension StorageError {
  /// Returns the error for the last failure that GDBM reported on this thread.
  static func gdbm(_ action: String, _ path: String) -> StorageError {
    let code = undercroft_gdbm_errno()
    let failure = errno
    let text = String(cString: gdbm_strerror(code))
    // In a damaged file GDBM may seek to invalid offsets. The resulting `EINVAL` is not a failure
    // of the system.
    if gdbm_check_syserr(code) != 0, failure != 0, failure != EINVAL {
      errno = failure
      return .system(action, path)
    }
    if code == Int32(GDBM_MALLOC_ERROR) { return .system(action, path, number: ENOMEM) }
    if code == Int32(GDBM_BYTE_SWAPPED) {
      return .otherPlatform(
        action, path, "the file was written with another byte order (big-endian or little-endian)")
    }
    if code == Int32(GDBM_BAD_FILE_OFFSET) {
      return .otherPlatform(
        action, path, "the file was written with file offsets of another size (32 or 64 bits)")
    }
    return StorageError(
      .corrupted, "cannot \(action) \(quoted(path)): \(text.lowercased())",
      suggestion: repairingGDBM)
  }

  /// The recommended action for a damaged file.
  static let repairingGDBM = """
    restore the file from a backup, or repair a copy of the file with the command recover of \
    gdbmtool; nothing was changed
    """

  /// Returns the error for an intact file that GDBM cannot read on this platform.
  private static func otherPlatform(
    _ action: String, _ path: String, _ reason: String
  ) -> StorageError {
    StorageError(
      .notSupported, "cannot \(action) \(quoted(path)): \(reason)",
      suggestion: """
        export the file with gdbm_dump on a computer of the platform that wrote the file, and \
        import the result on this computer with gdbm_load; nothing was changed
        """)
  }

  /// Returns the error for a failed call that writes a new file.
  ///
  /// If GDBM cannot write a bucket, it reports that the database needs recovery. The error is
  /// nevertheless a system error and not `.corrupted`, because the new file is not in use yet.
  ///
  /// - Parameter number: the error number of the system, or 0 if there is none. For 0, the error
  ///   contains `EIO`.
  static func writingGDBM(_ path: String, number: Int32) -> StorageError {
    if undercroft_gdbm_errno() == Int32(GDBM_MALLOC_ERROR) {
      return .system("write", path, number: ENOMEM)
    }
    return .system("write", path, number: number == 0 ? EIO : number)
  }
}
