package import UndercroftCore

/// The device, inode number, size and modification time of
/// a file, which show whether it was replaced or changed.
///
/// The inode number of a removed file can be reused. A caller
/// that compares identities must hold the first file open.
package struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t
  private let size: off_t
  private let seconds: time_t
  private let nanoseconds: Int

  /// Creates the identity of the file from which `status` was read.
  package init(_ status: stat) {
    device = status.st_dev
    number = status.st_ino
    size = status.st_size
    // The modification time is used, not the change time of
    // the inode, which also changes when the file is renamed.
    #if canImport(Darwin)
      seconds = status.st_mtimespec.tv_sec
      nanoseconds = status.st_mtimespec.tv_nsec
    #else
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    #endif
  }

  /// Returns the identity of the file at `path`,
  /// following symbolic links, or `nil` if there is none.
  ///
  /// - Throws: ``StorageError`` if the file cannot be examined for another
  ///   reason. Such a file may exist, so it must not be treated as absent.
  package init?(_ path: String) throws(StorageError) {
    var status = stat()
    guard Platform.retrying({ stat(path, &status) }) == 0 else {
      guard errno == ENOENT else { throw .system("examine", path) }
      return nil
    }
    self.init(status)
  }

  /// Returns the identity of the entry `name` in an open folder,
  /// or `nil` if there is none; symbolic links are not followed.
  ///
  /// - Throws: ``StorageError`` if the entry cannot be examined for another reason.
  package init?(_ name: String, in folder: borrowing Descriptor) throws(StorageError) {
    var status = stat()
    let directory = folder.raw
    if Platform.retrying({ fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) }) != 0 {
      guard errno == ENOENT else { throw .system("examine", folder.path + "/" + name) }
      return nil
    }
    self.init(status)
  }
}
