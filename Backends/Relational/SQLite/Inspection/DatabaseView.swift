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
    let handle = try Self.open(path, source)
    try handle.connection(mayWrite: false).configure(nil)
    self.fingerprint = fingerprint
    self.usesLog = source.usesLog
    self.handle = handle
  }

  private static func open(
    _ path: String, _ source: borrowing DatabaseSource
  ) throws(StorageError) -> SQLiteHandle {
    if DatabaseFile.hasLog(path) { return try DatabaseCopy.open(path, source, journal: "-wal") }
    // Without a log nobody has the database open, so nobody's locks can be in the way.
    if source.usesLog { return try SQLiteHandle(path, .immutable) }
    if DatabaseFile.exists(path + "-journal") {
      return try DatabaseCopy.open(path, source, journal: "-journal")
    }
    return try SQLiteHandle(path, .readOnly)
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
