import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Database {
  /// Puts what another file holds, such as a copy made by ``backUp(to:pagesAtATime:progress:)``, in the place of everything that is here.
  ///
  /// Waits until nobody is inside, and lets nobody in meanwhile. The file is replaced whole at the end, and stays as it is when anything
  /// fails. Whoever observes is told that anything may have changed.
  ///
  /// - Parameters:
  ///   - url: the file to restore from, which is only read.
  ///   - progress: called after each slice; throwing ends the restoring.
  /// - Throws: what `progress` throws, unchanged; ``StorageError/Code/corrupted`` when the file is no database; ``StorageError/Code/misuse``
  ///   inside a read or write, and in memory; ``StorageError/Code/locked`` when another process has the database open;
  ///   ``StorageError/Code/accessDenied`` if the database was opened with ``DatabaseOptions/isReadOnly``.
  public func restore(
    from url: URL, pagesAtATime: Int = 256, progress: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    guard let location else {
      throw StorageError.sqliteMisuse(
        "cannot restore a database in memory", cure: "open Database.inMemory(loadedFrom:)")
    }
    guard !options.isReadOnly else {
      throw StorageError(
        .accessDenied,
        "cannot restore \(quoted(location.path)): it was opened for reading only",
        cure: "open it without DatabaseOptions.isReadOnly", backend: SQLiteBackend.name)
    }
    _ = try target(url, to: "restore")
    try whileClosed { _ in
      let source = try Database(
        at: url, DatabaseOptions(lockTimeout: options.lockTimeout, isReadOnly: true))
      let problems = try source.quickCheck()
      guard problems.isEmpty else {
        throw StorageError(
          .corrupted, "cannot restore from \(quoted(url.path)): \(problems[0])",
          cure: "take another copy; nothing was changed", backend: SQLiteBackend.name)
      }
      try source.backUp(to: location, pagesAtATime: pagesAtATime, progress: progress)
      try source.close()
    }
  }
}
