package import UndercroftCore

/// The identity, size and modification time of a file, which
/// show whether the file was replaced or its content changed.
///
/// The inode number of a removed file can be reused. A caller
/// that compares versions must hold the first file open.
package struct FileVersion: Equatable, Sendable {
  private let file: FileIdentity
  private let size: off_t
  private let seconds: time_t
  private let nanoseconds: Int

  /// Creates the version of a file from its `status`, as returned by `stat` or `fstat`.
  package init(_ status: stat) {
    file = FileIdentity(status)
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

  /// Creates the version of the file at `path`, following
  /// symbolic links, or returns `nil` if there is no file.
  ///
  /// - Throws: an error if the status of the file cannot be read for a reason other
  ///   than its absence. Such a file may exist, so it must not be treated as absent.
  package init?(at path: String) throws(StorageError) {
    var status = stat()
    guard Platform.retrying({ stat(path, &status) }) == 0 else {
      guard errno == ENOENT else { throw .system("read the attributes of", path) }
      return nil
    }
    self.init(status)
  }

  /// Creates the version of the entry `name` in an open folder, or returns
  /// `nil` if there is no such entry; symbolic links are not followed.
  ///
  /// - Throws: an error if the status of the entry cannot
  ///   be read for a reason other than its absence.
  package init?(_ name: String, in folder: borrowing Descriptor) throws(StorageError) {
    guard let status = try Folder.status(of: name, in: folder) else { return nil }
    self.init(status)
  }
}
