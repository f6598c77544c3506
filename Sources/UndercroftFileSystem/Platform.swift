// This is the only file that imports the C library of each platform.

#if canImport(Glibc)
  import CFileSystem
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif

/// The differences between the C headers of the
/// platforms, and constants that Swift does not import.
package enum Platform {
  #if canImport(Darwin)
    /// The command for locks that belong to an open file and not to a process: `F_OFD_SETLK`.
    package static let setOpenFileLock: Int32 = 90
  #else
    /// The command for locks that belong to an open file and not to a process: `F_OFD_SETLK`.
    package static let setOpenFileLock: Int32 = 37
  #endif

  #if canImport(Darwin)
    /// The `lseek` constant that finds the next data
    /// outside the holes of a sparse file: `SEEK_DATA`.
    package static let seekData: Int32 = 4
    /// The `lseek` constant that finds the next hole of a sparse file: `SEEK_HOLE`.
    package static let seekHole: Int32 = 3
  #else
    /// The `lseek` constant that finds the next data
    /// outside the holes of a sparse file: `SEEK_DATA`.
    package static let seekData: Int32 = 3
    /// The `lseek` constant that finds the next hole of a sparse file: `SEEK_HOLE`.
    package static let seekHole: Int32 = 4
  #endif

  /// Repeats `call` while a signal interrupts it (`EINTR`), and returns its result.
  ///
  /// Local file systems rarely interrupt calls; network and user-space file systems interrupt calls
  /// more often.
  package static func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  /// Renames a file unless another file already has the
  /// new name (`renameat2` with `RENAME_NOREPLACE`).
  ///
  /// If the file system does not support exclusive renames, the file gets the new name as a hard
  /// link, and then the old name is removed. If the file system does not support hard links
  /// either, the file is renamed after a check that the new name is free. If another process
  /// creates a file of that name between the check and the rename, that file is replaced.
  ///
  /// - Returns: 0 on success. Otherwise -1 with the reason
  ///   in `errno`, which is `EEXIST` if the new name exists.
  package static func renameExclusively(
    _ name: String, in folder: Int32, to newName: String, in newFolder: Int32
  ) -> Int32 {
    let unsupported: Set<Int32> = [EINVAL, ENOSYS, EOPNOTSUPP, ENOTSUP]
    if retrying({ exclusiveRename(folder, name, newFolder, newName) }) == 0 { return 0 }
    guard unsupported.contains(errno) else { return -1 }
    if retrying({ linkat(folder, name, newFolder, newName, 0) }) == 0 {
      return retrying { unlinkat(folder, name, 0) }
    }
    guard unsupported.contains(errno) || errno == EPERM || errno == EMLINK else { return -1 }
    var status = stat()
    if retrying({ fstatat(newFolder, newName, &status, AT_SYMLINK_NOFOLLOW) }) == 0 {
      errno = EEXIST
      return -1
    }
    guard errno == ENOENT else { return -1 }
    return retrying { renameat(folder, name, newFolder, newName) }
  }

  private static func exclusiveRename(
    _ folder: Int32, _ name: String, _ newFolder: Int32, _ newName: String
  ) -> Int32 {
    #if canImport(Darwin)
      return renameatx_np(folder, name, newFolder, newName, UInt32(RENAME_EXCL))
    #elseif canImport(Glibc)
      // The value 1 is `RENAME_NOREPLACE`.
      return renameat2(folder, name, newFolder, newName, 1)
    #else
      errno = ENOSYS
      return -1
    #endif
  }

  /// Returns whether this process ignores a signal, as one that `nohup` starts ignores `SIGHUP`.
  package static func isIgnored(signal number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Returns the nanoseconds since an arbitrary point in time,
  /// up to a few milliseconds late, without a system call.
  package static func coarseNow() -> Int64 {
    var time = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_MONOTONIC_RAW_APPROX, &time)
    #else
      clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    #endif
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
