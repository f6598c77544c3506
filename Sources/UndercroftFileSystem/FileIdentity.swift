package import UndercroftCore

#if canImport(Glibc)
  import CFileSystem
#endif

/// The device and inode number of a file, which identify the file while it is open.
///
/// The inode number of a removed file can be reused. A caller
/// that compares identities must hold the first file open.
package struct FileIdentity: Hashable, Sendable {
  private let device: dev_t
  private let inode: ino_t

  /// Creates the identity of a file from its `status`, as returned by `stat` or `fstat`.
  package init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
  }

  /// Creates an identity from the number of a device and that of an inode, as `stat` returns them.
  package init(device: UInt64, inode: UInt64) {
    self.device = dev_t(truncatingIfNeeded: device)
    self.inode = ino_t(truncatingIfNeeded: inode)
  }

  /// Creates the identity of the file at `path`, or returns `nil` if
  /// there is no file (`statx` or `stat`); follows symbolic links.
  ///
  /// Stores compare identities to detect that another program has removed or replaced
  /// their open file. The link count of the file does not show this, because a hard
  /// link, such as one in a backup, prevents the count from becoming zero.
  package init?(at path: String) throws(StorageError) {
    #if canImport(Glibc)
      var (device, inode) = (UInt64(0), UInt64(0))
      if Platform.retrying({ undercroft_identify(path, &device, &inode) }) == 0 {
        self.init(device: device, inode: inode)
        return
      }
    #endif
    // Used on other systems, and if a sandbox forbids `statx`.
    var status = stat()
    guard Platform.retrying({ stat(path, &status) }) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .system("read the attributes of", path)
    }
    self.init(status)
  }
}

extension Descriptor {
  /// Returns whether `path` names this open file; `false`
  /// after the file was removed, renamed or replaced.
  package func isFile(at path: String) throws(StorageError) -> Bool {
    try FileIdentity(at: path) == FileIdentity(try status())
  }
}
