public import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DatabaseFiles {
  /// Removes the database and everything beside it; does nothing where there is none.
  ///
  /// - Throws: ``StorageError/Code/locked`` when anybody has it open, and nothing is removed then. An
  ///   error that says "is in place" means that the files are gone, and that a power failure may bring
  ///   them back.
  public func remove() throws(StorageError) {
    try isolated { (_) throws(StorageError) in
      // The database first: a log without it is nothing, but it without its log has lost commits.
      for suffix in DatabaseFile.suffixes where unlink(path + suffix) != 0 && errno != ENOENT {
        throw .system("remove", path + suffix)
      }
      do throws(StorageError) { try Folder.synchronize(Folder.parent(of: path)) } catch {
        throw error.afterChange("the removal", of: path)
      }
    }
  }

  /// Moves the database with all that was committed; to another file system, by way of a copy.
  ///
  /// Missing folders are made. At each instant the database is whole at the old place or at the new one.
  ///
  /// - Throws: ``StorageError/Code/misuse`` when anything is at the new place, ``StorageError/Code/locked`` when anybody has it open.
  ///   An error that says "is in place" means that the database is at the new place, and that a power
  ///   failure may undo that.
  public func move(to url: URL) throws(StorageError) {
    let target = DatabaseFile.resolved(try DatabaseFile.path(of: url))
    try DatabaseFile.refuseBadPlace(target)
    for suffix in DatabaseFile.suffixes where DatabaseFile.exists(target + suffix) {
      throw taken(target)
    }
    guard DatabaseFile.exists(path) else {
      throw .system("move", path, number: ENOENT).naming(backend: SQLiteBackend.name)
    }
    try isolated { (source) throws(StorageError) in
      try Folder.create(Folder.parent(of: target))
      // Another process may have created a database there since it was looked for.
      if Platform.renameExclusively(path, in: AT_FDCWD, to: target, in: AT_FDCWD) != 0 {
        if errno == EEXIST { throw taken(target) }
        guard errno == EXDEV, let source else { throw .system("move", path) }
        try DatabaseTarget(at: target, lockTimeout: .zero, mayReplace: false).fill(from: source)
        guard unlink(path) == 0 else { throw .system("remove", path) }
      }
      // It is whole by itself unless it was too damaged for that.
      let rest = source == nil ? DatabaseFile.suffixes.dropFirst() : []
      for suffix in rest where DatabaseFile.exists(path + suffix) {
        guard rename(path + suffix, target + suffix) == 0 else {
          throw .system("move", path + suffix)
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

  private func taken(_ target: String) -> StorageError {
    .sqliteMisuse(
      "cannot move \(quoted(path)) to \(quoted(target)): there is something already",
      cure: "remove it, or choose another name")
  }

  /// Runs `body` while nobody has the database open; with a connection to it, unless there is none or it is damaged.
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
