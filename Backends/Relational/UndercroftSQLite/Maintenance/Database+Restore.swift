import UndercroftCore
public import UndercroftFoundation

extension Database {
  /// Replaces the whole content of this database with the content of another file, such as a copy
  /// made by ``backUp(to:pagesAtATime:progress:)``.
  ///
  /// Waits until all reads and writes have ended, and blocks new reads and writes until the call
  /// ends. The file is replaced as a whole in the last step, so the file does not change if an
  /// earlier step fails. Observers are notified that any data may have changed.
  ///
  /// - Parameters:
  ///   - url: the file to restore from, which does not change.
  ///   - pagesAtATime: the number of pages to copy between two calls of `progress`.
  ///   - progress: called after each slice of pages. If the closure throws, the restore is
  ///     cancelled.
  /// - Throws: any error that `progress` throws, unchanged. ``StorageError/Code/corrupted`` if the
  ///   file is not a database, or is damaged. ``StorageError/Code/misuse`` inside a read or write,
  ///   and for an in-memory database. ``StorageError/Code/locked`` if another process has the
  ///   database open. ``StorageError/Code/accessDenied`` if the database was opened with
  ///   ``DatabaseOptions/isReadOnly``.
  public func restore(
    from url: URL, pagesAtATime: Int = 256, progress: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    guard let location else {
      throw StorageError.sqliteMisuse(
        """
        cannot restore an in-memory database: restore(from:) replaces the file of a database, and \
        an in-memory database has no file
        """,
        suggestion: """
          create a new in-memory database from the backup with Database.inMemory(loadedFrom:)
          """)
    }
    guard !options.isReadOnly else {
      throw StorageError(
        .accessDenied,
        "cannot restore \(quoted(location.path)): the database is open read-only",
        suggestion: """
          if DatabaseOptions.isReadOnly is set, open the database without this option; if a \
          failed migration or DatabaseOptions.prepare allowed only reading, fix the cause and open \
          the database again
          """,
        backend: SQLiteBackend.name)
    }
    _ = try target(url, to: "restore from")
    try whileClosed { _ in
      let source = try Database(
        at: url, DatabaseOptions(lockTimeout: options.lockTimeout, isReadOnly: true))
      let problems = try source.quickCheck()
      guard problems.isEmpty else {
        throw StorageError(
          .corrupted,
          """
          cannot restore \(quoted(location.path)) from \(quoted(url.path)): the file of the backup \
          is damaged: \(problems[0])
          """,
          suggestion: "use another backup; nothing was changed", backend: SQLiteBackend.name)
      }
      try source.backUp(to: location, pagesAtATime: pagesAtATime, progress: progress)
      try source.close()
    }
  }
}
