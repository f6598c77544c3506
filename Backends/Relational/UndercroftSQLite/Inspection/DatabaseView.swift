import CSQLite
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

/// A read-only connection to the state of a database at one instant, opened without creating files
/// beside the database.
///
/// A write-ahead log beside the file is read together with the file by a ``LogOverlay``, because
/// SQLite would create an index of the log (`-shm`). If a rollback journal with changes is beside
/// the file, the connection opens a private copy of the file and the journal, because SQLite would
/// roll back the journal. Without such a journal, the file is read in place, and without locks if
/// an application holds an exclusive lock.
struct DatabaseView: ~Copyable {
  let handle: SQLiteHandle
  let usesLog: Bool
  private let path: String
  private let overlay: LogOverlay?
  /// Whether the file is read without a lock, so that other processes can write to the file at the
  /// same time.
  private let isUnguarded: Bool
  private let fingerprint: Fingerprint
  /// The connection that holds a shared lock, or `nil` for a view without a lasting lock.
  private let lock: DatabaseSource?

  /// Whether everything that was read through the view belongs to one state of the database.
  var isConsistent: Bool {
    if lock != nil { return true }
    if let overlay { return overlay.state() != .inconsistent }
    return !isUnguarded || fingerprint == Fingerprint(path)
  }

  /// Whether the view shows the present state of the database.
  ///
  /// A locked view shows one state until the view is released.
  var isCurrent: Bool {
    if lock != nil { return true }
    guard fingerprint == Fingerprint(path) else { return false }
    // Two writes within one tick of the clock can result in the same fingerprint.
    return overlay.map { $0.state() == .current } ?? true
  }

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
  ///
  /// - Parameter copiesLog: whether a private copy is opened even if the journal is a write-ahead
  ///   log. The copy of a large file needs much time and space, but the view remains consistent
  ///   when other processes write to the file.
  init(_ path: String, copiesLog: Bool = false) throws(StorageError) {
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
        try self.init(path, fingerprint, copiesLog: copiesLog)
        return
      } catch  where error.code == .busy || fingerprint != Fingerprint(path) {
        // An application that closes the database moves its journal into the file and removes the
        // journal.
        continue
      }
    }
    try self.init(path, Fingerprint(path), copiesLog: copiesLog)
  }

  private init(
    _ path: String, _ fingerprint: Fingerprint, copiesLog: Bool
  ) throws(StorageError) {
    let source = try DatabaseSource(path)
    let opened = try Self.open(path, source, copiesLog: copiesLog)
    do throws(StorageError) {
      try opened.handle.connection(mayWrite: false).configure(nil)
    } catch {
      guard opened.overlay?.state() == .inconsistent else { throw error }
      // A mixture of two states of the file can look damaged.
      throw StorageError(
        .busy, "cannot inspect \(quoted(path)): the file changed while it was being opened",
        suggestion: "repeat the call when other connections write less often",
        backend: SQLiteBackend.name, underlying: error)
    }
    self.path = path
    overlay = opened.overlay
    isUnguarded = opened.isUnguarded
    self.fingerprint = fingerprint
    self.usesLog = source.usesLog
    lock = nil
    handle = opened.handle
  }

  /// Creates a view of the state that the open transaction of `handle` shows.
  init(
    locked handle: consuming SQLiteHandle, by lock: consuming DatabaseSource, _ path: String,
    usesLog: Bool
  ) {
    self.path = path
    overlay = nil
    isUnguarded = false
    fingerprint = Fingerprint(path)
    self.usesLog = usesLog
    self.lock = consume lock
    self.handle = handle
  }

  private struct Opened: ~Copyable {
    let handle: SQLiteHandle
    var overlay: LogOverlay?
    var isUnguarded = false
  }

  private static func open(
    _ path: String, _ source: borrowing DatabaseSource, copiesLog: Bool
  ) throws(StorageError) -> Opened {
    switch try ReadingMode(for: path, source) {
    case .withLog where copiesLog:
      return Opened(handle: try DatabaseCopy.open(path, source, journal: "-wal"))
    case .withLog:
      let overlay = try LogOverlay(path)
      return Opened(handle: try overlay.open(), overlay: overlay)
    case .unlocked: return Opened(handle: try SQLiteHandle(path, .immutable), isUnguarded: true)
    case .copied: return Opened(handle: try DatabaseCopy.open(path, source, journal: "-journal"))
    case .locked:
      let parameters = try ReadingVFS.parameters
      return Opened(handle: try SQLiteHandle(path, .virtual(parameters: parameters)))
    }
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
