// The one place that names the C library of each platform.

#if canImport(Glibc)
  import CFileSystem
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif

/// What differs between the systems' headers, or is missing from Swift's view of them.
package enum Platform {
  #if canImport(Darwin)
    /// Locks that belong to an open file and not to a process: `F_OFD_SETLK`.
    package static let setOpenFileLock: Int32 = 90
  #else
    /// Locks that belong to an open file and not to a process: `F_OFD_SETLK`.
    package static let setOpenFileLock: Int32 = 37
  #endif

  #if canImport(Darwin)
    /// Finds the next byte that is in no hole of a sparse file: `SEEK_DATA` of `lseek`.
    package static let seekData: Int32 = 4
    /// Finds the next hole of a sparse file: `SEEK_HOLE` of `lseek`.
    package static let seekHole: Int32 = 3
  #else
    /// Finds the next byte that is in no hole of a sparse file: `SEEK_DATA` of `lseek`.
    package static let seekData: Int32 = 3
    /// Finds the next hole of a sparse file: `SEEK_HOLE` of `lseek`.
    package static let seekHole: Int32 = 4
  #endif

  /// Calls `call` again for as long as a signal interrupts it. (`EINTR`)
  ///
  /// Local file systems interrupt almost no call; network file systems and those in user space do.
  package static func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  /// Renames a file unless another file has the new name already. (`renameat2` with `RENAME_NOREPLACE`)
  ///
  /// If the file system cannot do that, the file gets its new name as a hard link and then loses the old
  /// name. Without hard links, the file is renamed after a check, between which and the renaming another
  /// process may create a file that is replaced.
  ///
  /// - Returns: 0, or -1 with the reason in `errno`, which is `EEXIST` for a name that is taken.
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
      // RENAME_NOREPLACE
      return renameat2(folder, name, newFolder, newName, 1)
    #else
      errno = ENOSYS
      return -1
    #endif
  }

  /// Returns nanoseconds since some moment, a few milliseconds behind, for the price of a look into memory.
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
