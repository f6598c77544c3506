import CSQLite
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A connection that shows a database as it was at one instant, without a trace beside the file.
///
/// Where a journal stands beside it, what it shows is a private copy of both: reading in place would make an index
/// (`-shm`) or roll back (`-journal`). Without one the file is read in place.
struct DatabaseView: ~Copyable {
  let handle: SQLiteHandle
  let usesLog: Bool
  /// Whether nothing keeps others from writing to what is shown.
  let isUnguarded: Bool
  let fingerprint: Fingerprint

  /// What changes on disk whenever the view is out of date.
  struct Fingerprint: Equatable {
    private let parts: [[Int]]

    init(_ path: String) {
      // SQLite keeps the journals beside the file that a link leads to.
      let path = DatabaseFile.resolved(path)
      parts = ["", "-wal", "-journal"].map { suffix in
        var status = stat()
        guard stat(path + suffix, &status) == 0 else { return [] }
        let time = status.modified
        return [
          Int(truncatingIfNeeded: status.st_ino), Int(status.st_size), time.tv_sec,
          Int(time.tv_nsec),
        ]
      }
    }
  }

  init(_ path: String) throws(StorageError) {
    let path = DatabaseFile.resolved(path)
    guard DatabaseFile.isRegular(path) else {
      throw StorageError(
        .unavailable, "cannot inspect \(quoted(path)): there is no such file",
        backend: SQLiteBackend.name)
    }
    try DatabaseFile.refuseBadPlace(path)
    let fingerprint = Fingerprint(path)
    let source = try DatabaseSource(path)
    let opened = try Self.opening(path, source)
    try opened.handle.connection(mayWrite: false).configure(nil)
    isUnguarded = opened.isUnguarded
    self.fingerprint = fingerprint
    self.usesLog = source.usesLog
    handle = opened.handle
  }

  private struct Opened: ~Copyable {
    let handle: SQLiteHandle
    var isUnguarded = false
  }

  /// A journal that goes in between was moved into the file by the application's closing it, so that is looked at anew.
  private static func opening(
    _ path: String, _ source: borrowing DatabaseSource
  ) throws(StorageError) -> Opened {
    for _ in 0..<5 {
      do throws(StorageError) {
        return try open(path, source)
      } catch  where (error.underlying as? SystemError)?.number == ENOENT {
        continue
      }
    }
    return try open(path, source)
  }

  private static func open(
    _ path: String, _ source: borrowing DatabaseSource
  ) throws(StorageError) -> Opened {
    if DatabaseFile.hasLog(path) {
      return Opened(handle: try DatabaseCopy.open(path, source, journal: "-wal"))
    }
    // Without a log nobody has the database open, so nobody's locks can be in the way.
    if source.usesLog {
      return Opened(handle: try SQLiteHandle(path, .immutable), isUnguarded: true)
    }
    if DatabaseFile.exists(path + "-journal") {
      return Opened(handle: try DatabaseCopy.open(path, source, journal: "-journal"))
    }
    return Opened(handle: try SQLiteHandle(path, .readOnly))
  }

  var connection: Connection { handle.connection(mayWrite: false) }
}

extension stat {
  fileprivate var modified: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}
