import CSQLite
public import UndercroftCore
public import UndercroftFoundation

extension Database {
  /// Copies the present state of the database to the file at `url`, while other threads can read
  /// and write. (`sqlite3_backup_step`)
  ///
  /// The copy contains one consistent state: the state when the call begins or, inside a read, the
  /// state that the read sees. The copy is a single file that only its owner can read. When the
  /// copy is complete, the copy replaces an earlier database at `url` as a whole. If the call
  /// throws before that, the earlier database at `url` does not change.
  ///
  /// During the copy, the call uses one of the connections for reading
  /// (``DatabaseOptions/readerCount``). The write-ahead log grows with each write of another thread
  /// or process, because the log cannot restart until the copy ends. An in-memory database is not
  /// available to other threads until the call ends.
  ///
  /// - Parameters:
  ///   - url: the file to write. Missing folders are created.
  ///   - pagesAtATime: the number of pages to copy between two calls of `progress`.
  ///   - progress: called after each slice of pages. If the closure throws, the backup is
  ///     cancelled.
  /// - Throws: any error that `progress` throws, unchanged. ``StorageError/Code/misuse`` inside a
  ///   write, and if `url` is the database's own file. ``StorageError/Code/locked`` if the database
  ///   at `url` is open.
  public func backUp(
    to url: URL, pagesAtATime: Int = 256, progress: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    let path = try target(url, to: "back up to")
    try read { db in
      guard sqlite3_txn_state(try db.state.raw, "main") != SQLITE_TXN_WRITE else {
        throw StorageError.sqliteMisuse(
          """
          cannot back up \(pool.databaseName) to \(quoted(path)): this thread is inside a write, \
          and the backup would contain changes that may still be rolled back
          """,
          suggestion: "repeat the call after the write has ended")
      }
      let target = try DatabaseTarget(at: path, lockTimeout: options.lockTimeout)
      try db.copy(to: target.temporary, max(1, pagesAtATime), progress)
      try target.commit()
    }
  }

  /// Copies the database as ``backUp(to:pagesAtATime:progress:)`` does, unless the file at
  /// `earlier` is already an identical copy.
  ///
  /// - Returns: whether a copy was made.
  package func backUp(to url: URL, unlessSameAs earlier: URL?) throws -> Bool {
    let path = try target(url, to: "back up to")
    let earlier = try earlier.map { (url) throws(StorageError) in try DatabaseFile.path(of: url) }
    return try read { db in
      let target = try DatabaseTarget(at: path, lockTimeout: options.lockTimeout)
      try db.copy(to: target.temporary, 4_096) { _ in }
      if let earlier, try target.isSame(as: earlier) { return false }
      try target.commit()
      return true
    }
  }

  /// Creates an in-memory database with the content of the file at `url`, which does not change.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if there is no file.
  ///   ``StorageError/Code/corrupted`` if the file is not a database.
  public static func inMemory(
    loadedFrom url: URL, _ options: DatabaseOptions = .init()
  ) throws(StorageError) -> Database {
    let file = try SQLiteHandle.opening(
      url, DatabaseOptions(lockTimeout: options.lockTimeout, isReadOnly: true))
    let memory = try SQLiteHandle("", .memory, lockTimeout: options.lockTimeout)
    let source = file.connection(mayWrite: false)
    try source.storageTransaction { (source) throws(StorageError) in
      _ = try source.integer("SELECT count(*) FROM sqlite_schema")
      let backup = try Backup(from: source.state.raw, to: memory.raw)
      while try backup.step(-1) {}
    }
    return try inMemory(holding: memory, options)
  }

  /// Returns the path of `url`, and throws if it is the path of this database's own file.
  func target(_ url: URL, to action: String) throws(StorageError) -> String {
    let path = try DatabaseFile.path(of: url)
    if let location, DatabaseFile.isSame(path, try DatabaseFile.path(of: location)) {
      throw .sqliteMisuse(
        "cannot \(action) \(quoted(path)): the path leads to the file of the open database itself",
        suggestion: "pass the path of another file")
    }
    return path
  }
}

extension Connection {
  /// Copies the state that the open transaction sees to the empty file at `path`.
  fileprivate func copy(
    to path: String, _ pages: Int, _ progress: (Database.BackupProgress) throws -> Void
  ) throws {
    if let file = try QuiescentFile(seenBy: self) {
      return try file.copy(to: path, pages, progress)
    }
    let target = try SQLiteHandle(path, .readWrite)
    // A partial copy is never used, and the complete file is flushed before it is used.
    for sql in ["PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF"] {
      try Statement(sql, on: target.raw).run()
    }
    let backup = try Backup(from: state.raw, to: target.raw)
    while try backup.step(pages) { try progress(backup.progress) }
    try progress(backup.progress)
  }
}
