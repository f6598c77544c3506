package import UndercroftCore

/// Tells whether a file is still the one, and still as it was, when it was last examined.
///
/// A file number can be used again for another file. A caller that compares identities has to hold the first file open.
package struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t
  private let size: off_t
  private let seconds: time_t
  private let nanoseconds: Int

  /// The identity of the file that `status` was read from.
  package init(_ status: stat) {
    device = status.st_dev
    number = status.st_ino
    size = status.st_size
    // Not the time of the last change of the inode, which renaming the file moves as well.
    #if canImport(Darwin)
      seconds = status.st_mtimespec.tv_sec
      nanoseconds = status.st_mtimespec.tv_nsec
    #else
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    #endif
  }

  /// The identity of the file at `path`, through symbolic links, or `nil` if there is none.
  ///
  /// - Throws: ``StorageError`` if the file cannot be examined for another reason: it may be there, and
  ///   must not be taken for absent.
  package init?(_ path: String) throws(StorageError) {
    var status = stat()
    guard Platform.retrying({ stat(path, &status) }) == 0 else {
      guard errno == ENOENT else { throw .system("examine", path) }
      return nil
    }
    self.init(status)
  }

  /// The identity of the entry `name` of an open folder, whose links are not followed, or `nil` if there is none.
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
