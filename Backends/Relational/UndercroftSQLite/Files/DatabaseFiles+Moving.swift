public import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation

extension DatabaseFiles {
  /// Removes all files of the database.
  ///
  /// Does nothing if no file of the database exists.
  ///
  /// - Throws: ``StorageError/Code/locked`` if the database is open anywhere. In this case, no file
  ///   is removed. If only the flush of the folder fails, an error whose message says that the
  ///   files are removed, but that a power failure may undo the removal.
  public func remove() throws(StorageError) {
    try isolated { (_) throws(StorageError) in
      // The database is removed first: a log without its database is harmless, but a database
      // without its log has lost commits.
      for suffix in DatabaseFile.suffixes where unlink(path + suffix) != 0 && errno != ENOENT {
        throw .system("remove", path + suffix)
      }
      do throws(StorageError) { try Folder.synchronize(Folder.parent(of: path)) } catch {
        throw error.afterChange("the removal", of: path)
      }
    }
  }

  /// Moves the database with all committed changes to `url`.
  ///
  /// If the new location is on another file system, the database is copied.
  ///
  /// Creates missing folders. At each instant, the whole database is at the old or at the new
  /// location.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a file exists at the new location;
  ///   ``StorageError/Code/locked`` if the database is open anywhere. If only the flush of a folder
  ///   fails, an error whose message says that the moved database is in place, but that a power
  ///   failure may undo the move.
  public func move(to url: URL) throws(StorageError) {
    let target = DatabaseFile.resolved(try DatabaseFile.path(of: url))
    try DatabaseFile.requireUsable(target)
    for suffix in DatabaseFile.suffixes where DatabaseFile.exists(target + suffix) {
      throw alreadyExists(target)
    }
    guard DatabaseFile.exists(path) else {
      throw .missing("move", path)
    }
    try isolated { (source) throws(StorageError) in
      try Folder.createDurably(Folder.parent(of: target))
      // Another process may have created a database there since the check above.
      if Platform.renameExclusively(path, in: AT_FDCWD, to: target, in: AT_FDCWD) != 0 {
        let number = errno
        if number == EEXIST { throw alreadyExists(target) }
        guard number == EXDEV, let source else {
          throw .system("move \(quoted(path)) to", target, number: number)
        }
        try DatabaseTarget(at: target, lockTimeout: .zero, mayReplace: false).fill(from: source)
        guard unlink(path) == 0 else {
          let number = errno
          throw StorageError.system("remove", path, number: number).within(
            """
            cannot complete the move of the database \(quoted(path)) to \(quoted(target)): the \
            copy at the new path is complete, but the file at the old path still exists
            """)
        }
      }
      // The log was moved into the file before, unless the file was too damaged for that.
      let rest = source == nil ? DatabaseFile.suffixes.dropFirst() : []
      for suffix in rest where DatabaseFile.exists(path + suffix) {
        guard rename(path + suffix, target + suffix) == 0 else {
          let number = errno
          throw .system("move \(quoted(path + suffix)) to", target + suffix, number: number)
        }
      }
      do throws(StorageError) {
        try Folder.synchronize(Folder.parent(of: target))
        try Folder.synchronize(Folder.parent(of: path))
      } catch {
        throw error.afterChange("the moved database", of: target)
      }
    }
  }

  private func alreadyExists(_ target: String) -> StorageError {
    let existing = DatabaseFile.suffixes.map { target + $0 }.first { DatabaseFile.exists($0) }
    return .sqliteMisuse(
      """
      cannot move \(quoted(path)) to \(quoted(target)): the file \(quoted(existing ?? target)) \
      exists already
      """,
      suggestion: "rename or remove the existing file, or choose another path")
  }

  /// Runs `body` while no other connection has the database open.
  ///
  /// The argument of `body` is a connection to the database, or `nil` if the file does not exist or
  /// is damaged.
  private func isolated(
    _ body: (OpaquePointer?) throws(StorageError) -> Void
  ) throws(StorageError) {
    do throws(StorageError) {
      guard DatabaseFile.exists(path) else { return try body(nil) }
      try DatabaseFile.require(path)
      let access: ExclusiveAccess
      do throws(StorageError) {
        access = try ExclusiveAccess(path, lockTimeout: .milliseconds(100))
      } catch  where error.code == .corrupted {
        return try body(nil)
      }
      try body(access.raw)
    } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
  }
}
