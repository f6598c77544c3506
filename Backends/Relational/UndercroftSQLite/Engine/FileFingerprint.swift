import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The state at one time of a file that is read without locks. (`stat`)
///
/// A comparison with the present state shows whether the file has been written since that time.
struct FileFingerprint {
  private let path: String
  private let status: stat

  /// Reads the state of the file.
  ///
  /// Returns `nil` if there is no file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.path = path
    self.status = status
  }

  /// Whether the file is unchanged and has no journal.
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
