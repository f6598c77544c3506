import UndercroftCore
import UndercroftFileSystem

/// The identity, size and modification time of a database file at one instant.
struct DatabaseFileState {
  private let status: stat
  /// Whether any later write to the file changes its modification time.
  private let showsLaterWrites: Bool

  /// Reads the present state of the file at `path`. (`stat`)
  init(_ path: String) throws(StorageError) {
    var (status, now) = (stat(), timespec())
    guard Platform.retrying({ stat(path, &status) }) == 0 else {
      throw .system("read the attributes of", path)
    }
    clock_gettime(CLOCK_REALTIME, &now)
    self.status = status
    showsLaterWrites = Self.isOld(status.modificationTime, at: now)
  }

  var byteCount: Int { Int(status.st_size) }

  /// Returns whether the file was certainly not written between this state and `later`.
  ///
  /// SQLite writes pages with `pwrite`, which always sets the modification time.
  func isUnwritten(until later: DatabaseFileState) -> Bool {
    let (old, new) = (status.modificationTime, later.status.modificationTime)
    return showsLaterWrites && status.st_dev == later.status.st_dev
      && status.st_ino == later.status.st_ino && status.st_size == later.status.st_size
      && old.tv_sec == new.tv_sec && old.tv_nsec == new.tv_nsec
  }

  /// Returns whether `time` is so old that a write at `now` or later results in another
  /// modification time.
  ///
  /// Linux stores the time of the last timer tick, up to 10 ms before the write. Other file systems
  /// store multiples of 10 ms to 2 s (exFAT, HFS+, FAT). A time in the future is never old enough,
  /// because the clock that sets it is not the clock of this machine.
  private static func isOld(_ time: timespec, at now: timespec) -> Bool {
    let isCoarse = time.tv_nsec % 10_000_000 == 0
    let (seconds, isOverflow) = now.tv_sec.subtractingReportingOverflow(time.tv_sec)
    guard !isOverflow, seconds >= 0 else { return false }
    if seconds > 3 { return true }
    let nanoseconds = seconds * 1_000_000_000 &+ now.tv_nsec &- time.tv_nsec
    return nanoseconds > (isCoarse ? 2_100_000_000 : 50_000_000)
  }
}

extension stat {
  fileprivate var modificationTime: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}
