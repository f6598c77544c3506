package import UndercroftCore

#if canImport(Glibc)
  import CFileSystem
#endif

/// The device and the inode number of a file, which identify the file as long as it is open.
///
/// The system may give the number of a removed file to another one. A caller that compares numbers
/// has to hold the first file open.
package struct FileNumber: Equatable, Sendable {
  private let device: dev_t
  private let inode: ino_t

  /// The number of the file that `status` was read from.
  package init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
  }

  /// The number of the file that `path` leads to, or `nil` if there is none. (`statx`, or `stat`)
  ///
  /// This is how a store finds out that another program removed or replaced its open file. The link
  /// count of the file does not tell: a hard link, such as that of a backup, keeps it above zero.
  package init?(at path: String) throws(StorageError) {
    #if canImport(Glibc)
      var (device, inode) = (UInt64(0), UInt64(0))
      if Platform.retrying({ undercroft_identify(path, &device, &inode) }) == 0 {
        var found = stat()
        found.st_dev = dev_t(truncatingIfNeeded: device)
        found.st_ino = ino_t(truncatingIfNeeded: inode)
        self.init(found)
        return
      }
    #endif
    // Also where a sandbox forbids `statx`.
    var status = stat()
    guard Platform.retrying({ stat(path, &status) }) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .system("examine", path)
    }
    self.init(status)
  }
}
