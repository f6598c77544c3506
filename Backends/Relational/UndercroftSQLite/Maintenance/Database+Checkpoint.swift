import CSQLite
public import UndercroftCore

extension Database {
  /// Moves pages from the write-ahead log into the database file. (`sqlite3_wal_checkpoint_v2`)
  ///
  /// The data is safe without this call: the checkpointer moves pages when the log grows. An
  /// in-memory database has no log, so its checkpoint is always complete.
  ///
  /// - Parameters:
  ///   - mode: which readers and writers the checkpoint waits for.
  ///   - name: "main", or the name of an attached database.
  /// - Returns: the result. A reader that prevents a complete checkpoint is not an error:
  ///   see ``Checkpoint/isComplete``.
  /// - Throws: ``StorageError/Code/misuse`` inside a read or write, and if there is no such
  ///   database.
  @discardableResult
  public func checkpoint(
    _ mode: CheckpointMode = .passive, of name: String = "main"
  ) throws(StorageError) -> Checkpoint {
    try withWriter { (connection) throws(StorageError) in
      if connection.isInTransaction {
        throw ConnectionPool.insideTransaction(
          "checkpoint the write-ahead log of \(quoted(name)) in \(pool.databaseName)")
      }
      // SQLite fails immediately if another checkpoint is running, so the checkpointer is paused.
      pool.pauseCheckpoints()
      defer { pool.resumeCheckpoints() }
      return try connection.checkpoint(mode, of: name)
    }
  }
}

extension Connection {
  fileprivate func checkpoint(
    _ mode: Database.CheckpointMode, of name: String
  ) throws(StorageError) -> Database.Checkpoint {
    try require(database: name)
    let raw = try state.raw
    var (log, moved): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(raw, name, mode.number, &log, &moved)
    guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else {
      throw .sqlite(
        "checkpoint the write-ahead log of \(quoted(name)) in \(DatabaseFile.name(of: raw))",
        SQLiteError(code, on: raw, sql: nil))
    }
    // SQLite sets both numbers to -1 if there is no log.
    return Database.Checkpoint(
      logFrames: Int(max(0, log)), checkpointedFrames: Int(max(0, moved)),
      isComplete: code == SQLITE_OK && log == moved)
  }
}

extension Database.CheckpointMode {
  fileprivate var number: Int32 {
    switch self {
    case .passive: SQLITE_CHECKPOINT_PASSIVE
    case .full: SQLITE_CHECKPOINT_FULL
    case .restart: SQLITE_CHECKPOINT_RESTART
    case .truncate: SQLITE_CHECKPOINT_TRUNCATE
    }
  }
}
