import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The recorded metadata of a file that is read without locks. (`stat`)
///
/// A comparison with the present metadata shows whether the file has been written since the
/// metadata was recorded.
struct FileFingerprint {
  private let path: String
  private let status: stat

  /// Reads the present metadata of the file at `path`.
  ///
  /// Returns `nil` if there is no file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.path = path
    self.status = status
  }

  /// Whether the metadata of the file is the same as when this value was created, and the file has
  /// no journal.
  ///
  /// A journal may mean that a process has the file open for writing.
  var isUnchanged: Bool {
    guard !DatabaseFile.hasJournal(path), let now = FileFingerprint(path)?.status else {
      return false
    }
    return now.st_dev == status.st_dev && now.st_ino == status.st_ino
      && now.st_size == status.st_size && Self.times(now) == Self.times(status)
  }

  private static func times(_ status: stat) -> [Int] {
    #if canImport(Darwin)
      [
        status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec, status.st_ctimespec.tv_sec,
        status.st_ctimespec.tv_nsec,
      ]
    #else
      [
        Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec), Int(status.st_ctim.tv_sec),
        Int(status.st_ctim.tv_nsec),
      ]
    #endif
  }
}
