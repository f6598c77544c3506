import CSQLite
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A read-only connection to the state of a database at one instant, opened without creating files
/// beside the database.
///
/// If a journal is beside the file, the connection opens a private copy of the file and the
/// journal. Reading in place would create an index (`-shm`) or roll back the journal (`-journal`).
/// Without a journal, the file is read in place.
struct DatabaseView: ~Copyable {
  let handle: SQLiteHandle
  let usesLog: Bool
  /// Whether the file is read without a lock, so that other processes can write to the file at the
  /// same time.
  let isUnguarded: Bool
  let fingerprint: Fingerprint

  /// The identities, sizes and modification times of the database's files.
  ///
  /// If the fingerprint of the files on disk differs from the fingerprint of a view, the view is
  /// outdated.
  struct Fingerprint: Equatable {
    private let parts: [[Int]]

    init(_ path: String) {
      // SQLite creates the journals beside the file that a symbolic link leads to.
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

  /// Opens the database, with up to six attempts if another process changes the files.
  init(_ path: String) throws(StorageError) {
    let path = DatabaseFile.resolved(path)
    guard DatabaseFile.isRegular(path) else {
      throw StorageError(
        .unavailable, "cannot inspect \(quoted(path)): the path does not name a regular file",
        suggestion: "pass the path of an existing SQLite database file",
        backend: SQLiteBackend.name)
    }
    try DatabaseFile.requireUsable(path)
    for _ in 0..<5 {
      let fingerprint = Fingerprint(path)
      do throws(StorageError) {
        try self.init(path, fingerprint)
        return
      } catch  where fingerprint != Fingerprint(path) {
        // An application that closes the database moves its journal into the file and removes the
        // journal.
        continue
      }
    }
    try self.init(path, Fingerprint(path))
  }

  private init(_ path: String, _ fingerprint: Fingerprint) throws(StorageError) {
    let source = try DatabaseSource(path)
    let opened = try Self.open(path, source)
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

  private static func open(
    _ path: String, _ source: borrowing DatabaseSource
  ) throws(StorageError) -> Opened {
    if DatabaseFile.hasLog(path) {
      return Opened(handle: try DatabaseCopy.open(path, source, journal: "-wal"))
    }
    // Without a log no application has the database open, so SQLite does not have to check for
    // locks.
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
