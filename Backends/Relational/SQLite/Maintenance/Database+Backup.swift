import CSQLite
public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Database {
  /// Copies the database as it is now to another file, while others go on reading and writing.
  ///
  /// The copy holds one state: the one of the beginning or, inside a read, the one that is read. It is a single file that only its owner
  /// may read. An earlier database at `url` is replaced whole at the end, and stays as it is when anything fails. One reader is in use
  /// meanwhile, and the log is not begun anew; a database in memory is not available to others until the end.
  ///
  /// - Parameters:
  ///   - url: where the copy goes; missing folders are made.
  ///   - pagesAtATime: how many pages to copy before `progress` is called again.
  ///   - progress: called after each slice; throwing ends the backup.
  /// - Throws: what `progress` throws, unchanged; ``StorageError/Code/misuse`` inside a write and for the database's own file;
  ///   ``StorageError/Code/locked`` when the database at `url` is open. (`sqlite3_backup_step`)
  public func backUp(
    to url: URL, pagesAtATime: Int = 256, progress: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    let path = try target(url, to: "back up")
    try read { db in
      guard sqlite3_txn_state(db.raw, "main") != SQLITE_TXN_WRITE else {
        throw StorageError.sqliteMisuse(
          "cannot back up inside a write: it may yet be undone", cure: "back up afterwards")
      }
      let target = try DatabaseTarget(at: path, lockTimeout: options.lockTimeout)
      try db.copy(to: target.temporary, max(1, pagesAtATime), progress)
      try target.commit()
    }
  }

  /// Copies the database as ``backUp(to:pagesAtATime:progress:)`` does, unless `earlier` is such a copy of the very same already.
  ///
  /// - Returns: whether a copy was made.
  package func backUp(to url: URL, unlessSameAs earlier: URL?) throws -> Bool {
    let path = try target(url, to: "back up")
    let earlier = try earlier.map { (url) throws(StorageError) in try DatabaseFile.path(of: url) }
    return try read { db in
      let target = try DatabaseTarget(at: path, lockTimeout: options.lockTimeout)
      try db.copy(to: target.temporary, 4_096) { _ in }
      if let earlier, try target.isSame(as: earlier) { return false }
      try target.commit()
      return true
    }
  }

  /// Makes a database in memory that begins with all that the file at `url` holds; the file is only read.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` when there is no file, ``StorageError/Code/corrupted`` when it is no database.
  public static func inMemory(
    loadedFrom url: URL, _ options: DatabaseOptions = .init()
  ) throws(StorageError) -> Database {
    let file = try SQLiteHandle.opening(
      url, DatabaseOptions(lockTimeout: options.lockTimeout, isReadOnly: true))
    let memory = try SQLiteHandle("", .memory, lockTimeout: options.lockTimeout)
    let source = file.connection(mayWrite: false)
    try source.transaction(orThrow: { $0 }) { (source) throws(StorageError) in
      _ = try source.integer("SELECT count(*) FROM sqlite_schema")
      let backup = try Backup(from: source.raw, to: memory.raw)
      while try backup.step(-1) {}
    }
    return try inMemory(holding: memory, options)
  }

  /// Returns the path of `url`, unless it is one of the files in use here.
  func target(_ url: URL, to action: String) throws(StorageError) -> String {
    let path = try DatabaseFile.path(of: url)
    if let location, DatabaseFile.isSame(path, try DatabaseFile.path(of: location)) {
      throw .sqliteMisuse(
        "cannot \(action) \(quoted(path)) to itself", cure: "choose another file")
    }
    return path
  }
}

extension Connection {
  /// Copies what this transaction sees to an empty file.
  fileprivate func copy(
    to path: String, _ pages: Int, _ progress: (BackupProgress) throws -> Void
  ) throws {
    if let file = try StillFile(seenBy: self) { return try file.copy(to: path, pages, progress) }
    let target = try SQLiteHandle(path, .readWrite)
    // Nothing but the whole file counts, and that is flushed at the end.
    for sql in ["PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF"] {
      try Statement(sql, on: target.raw).run()
    }
    let backup = try Backup(from: raw, to: target.raw)
    while try backup.step(pages) { try progress(backup.progress) }
    try progress(backup.progress)
  }
}
