import CSQLite
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A new database file, which replaces an earlier file atomically.
///
/// The new file is written beside the earlier file. No descriptor of the new file is open when the
/// file gets its final name. After that, another thread may open the database, and closing a
/// descriptor would drop the locks of that thread's connection.
struct DatabaseTarget: ~Copyable {
  private var file: GuardedFile
  private let path: String
  private let lockTimeout: Duration
  private let mayReplace: Bool

  /// Creates the temporary file and missing parent folders, after removing temporary files of
  /// killed processes.
  ///
  /// - Parameters:
  ///   - lockTimeout: the longest wait in ``commit()`` for connections to an earlier database at
  ///     `path`.
  ///   - mayReplace: whether a database at `path` may be replaced. If `false`, ``commit()`` throws
  ///     if there is a file at `path`, even one that was created after this call.
  /// - Throws: ``StorageError/Code/unavailable`` if a file at `path` is not a database, or if the
  ///   journal of another database is beside `path`.
  init(at path: String, lockTimeout: Duration, mayReplace: Bool = true) throws(StorageError) {
    let path = DatabaseFile.resolved(path)
    try DatabaseFile.requireUsable(path)
    try Self.requireReplaceable(at: path)
    do throws(StorageError) {
      try Folder.createDurably(Folder.parent(of: path))
      try TemporaryFile.sweep(try Folder.open(Folder.parent(of: path)))
      self.file = try GuardedFile(replacing: path)
    } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
    self.path = path
    self.lockTimeout = lockTimeout
    self.mayReplace = mayReplace
  }

  private static func requireReplaceable(at path: String) throws(StorageError) {
    guard DatabaseFile.exists(path) else {
      for suffix in ["-wal", "-journal"] where DatabaseFile.exists(path + suffix) {
        throw StorageError(
          .unavailable,
          """
          cannot write \(quoted(path)): the journal \(quoted(path + suffix)) of an earlier \
          database exists
          """,
          suggestion: "rename the journal, or choose another path", backend: SQLiteBackend.name
        )
      }
      return
    }
    try DatabaseFile.require(path)
    let source = try DatabaseSource(path)
    guard source.header.isEmpty || source.isDatabase else {
      throw StorageError(
        .unavailable, "cannot write \(quoted(path)): the existing file is not a SQLite database",
        suggestion: "rename the existing file, or choose another path", backend: SQLiteBackend.name)
    }
  }

  /// The path of the temporary file that becomes the new database at ``commit()``.
  var temporary: String { file.path }

  /// Copies the state of the database that the connection `source` sees, and commits the new file.
  consuming func fill(from source: OpaquePointer) throws(StorageError) {
    do {
      let target = try SQLiteHandle(temporary, .readWrite)
      let backup = try Backup(from: source, to: target.raw)
      while try backup.step(-1) {}
    }
    try commit()
  }

  // The copied header names the journal mode of the original. A single file needs no log, and must
  // not require one for reading. (Bytes 18 and 19 of the header)
  private func setRollbackJournalFormat() throws(StorageError) {
    let versions = (UInt8(1), UInt8(1))
    do throws(StorageError) {
      try file.withDescriptor { (file) throws(StorageError) in
        try withUnsafeBytes(of: versions) { (bytes) throws(StorageError) in
          try file.write(bytes, at: 18)
        }
      }
    } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
  }

  /// Returns whether the file at the path `other` and the new database file have the same bytes.
  ///
  /// Before the comparison, this method sets the new file's format to rollback journal, as
  /// ``commit()`` does. All connections to the new file must be closed.
  func isSame(as other: String) throws(StorageError) -> Bool {
    try setRollbackJournalFormat()
    guard DatabaseFile.isRegular(other), let other = try? DatabaseSource(other) else {
      return false
    }
    return try file.withDescriptor { (file) throws(StorageError) in
      var offset = 0
      while true {
        guard let one = try? file.read(1 << 20, at: offset),
          let two = try? other.read(at: offset, 1 << 20), one == two
        else { return false }
        if one.isEmpty { return true }
        offset += one.count
      }
    }
  }

  /// Moves the new database to its final path.
  ///
  /// All connections to the new database must be closed.
  ///
  /// - Throws: if only the flush of the folder fails, an error whose message says that the new
  ///   database is in place, but that a power failure may undo the move. After any other error, the
  ///   earlier database is still at the path.
  consuming func commit() throws(StorageError) {
    try setRollbackJournalFormat()
    if !mayReplace || !DatabaseFile.exists(path) {
      if try file.commitIfAbsent(of: Self.change) { return }
      guard mayReplace else { throw Self.alreadyExists(path) }
      // Another process has created the file during the flush.
      try Self.requireReplaceable(at: path)
    }
    // SQLite would read a remaining log of the old file as the log of the new file.
    let old: ExclusiveAccess
    do throws(StorageError) {
      old = try ExclusiveAccess(path, lockTimeout: lockTimeout)
    } catch  where error.code == .corrupted && !DatabaseFile.hasJournal(path) {
      return try file.commit(of: Self.change)
    }
    try file.commit(of: Self.change)
    _ = old.raw
  }

  /// Returns the error for a copy that must not replace the existing file at `path`.
  private static func alreadyExists(_ path: String) -> StorageError {
    .sqliteMisuse(
      "cannot write \(quoted(path)): a file with this name exists already",
      suggestion: "rename or remove the existing file, or choose another path")
  }

  private static let change = "the new database"
}
