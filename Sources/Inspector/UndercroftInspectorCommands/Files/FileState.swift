import UndercroftCore
import UndercroftFileSystem

/// The attributes of a file that show whether it was changed or replaced.
struct FileState: Equatable {
  /// The kind of a file.
  enum Kind {
    case file
    case folder
    case link
    /// A FIFO, a socket or a device, which is not copied.
    case other
  }

  let kind: Kind
  let mode: mode_t
  let byteCount: Int
  let owner: uid_t
  let group: gid_t
  let modified: timespec
  let identity: FileIdentity
  private let changed: timespec

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    mode = status.st_mode & 0o7777
    byteCount = Int(status.st_size)
    (owner, group) = (status.st_uid, status.st_gid)
    identity = FileIdentity(status)
    #if canImport(Darwin)
      (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
  }

  /// Reads the attributes of the file at `path`, or returns `nil` if there is none; does not follow
  /// symbolic links. (`lstat`)
  init?(at path: String) {
    var status = stat()
    guard Platform.retrying({ lstat(path, &status) }) == 0 else { return nil }
    self.init(status)
  }

  /// Returns the attributes of the file at `path`, or `nil` if there is none; does not follow
  /// symbolic links. (`lstat`)
  ///
  /// - Throws: the error of the system if a file may exist, such as in a folder without the
  ///   permission to search it.
  static func existing(at path: String) throws(StorageError) -> FileState? {
    var status = stat()
    if Platform.retrying({ lstat(path, &status) }) == 0 { return FileState(status) }
    guard errno == ENOENT || errno == ENOTDIR else {
      throw .system("read the attributes of", path)
    }
    return nil
  }

  /// Reads the attributes of the file to which `path` leads, or returns `nil` if there is none.
  /// (`stat`)
  init?(following path: String) {
    var status = stat()
    guard Platform.retrying({ stat(path, &status) }) == 0 else { return nil }
    self.init(status)
  }

  /// Returns whether both states are of the same file, which may have been changed.
  func isSameFile(as other: FileState) -> Bool {
    kind == other.kind && identity == other.identity
  }

  /// Returns whether the states are equal.
  ///
  /// The times of a folder also change if a temporary file was created and removed in it, and its
  /// entries are compared one by one.
  static func == (lhs: FileState, rhs: FileState) -> Bool {
    guard lhs.isSameFile(as: rhs), lhs.mode == rhs.mode else { return false }
    return lhs.kind == .folder
      || lhs.byteCount == rhs.byteCount && isSame(lhs.modified, rhs.modified)
        && isSame(lhs.changed, rhs.changed)
  }

  private static func isSame(_ lhs: timespec, _ rhs: timespec) -> Bool {
    lhs.tv_sec == rhs.tv_sec && lhs.tv_nsec == rhs.tv_nsec
  }
}
