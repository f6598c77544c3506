import CSQLite
public import UndercroftCore

extension Database {
  /// Moves what is in the write-ahead log into the database. (`sqlite3_wal_checkpoint_v2`)
  ///
  /// Not needed for safety: a log that grows is moved from time to time by itself. In memory, where there is no log, it is complete at once.
  ///
  /// - Parameter name: "main", or the name of an attached database.
  /// - Throws: ``StorageError/Code/misuse`` inside a read or write. That a reader is in the way is no error: see ``Checkpoint/isComplete``.
  @discardableResult
  public func checkpoint(
    _ mode: CheckpointMode = .passive, of name: String = "main"
  ) throws(StorageError) -> Checkpoint {
    try writing(orThrow: { $0 }) { (connection) throws(StorageError) in
      if connection.isInTransaction { throw Seats.insideTransaction }
      // SQLite does not wait for another checkpoint.
      seats.pauseCheckpoints()
      defer { seats.resumeCheckpoints() }
      return try connection.checkpoint(mode, of: name)
    }
  }
}

extension Connection {
  fileprivate func checkpoint(
    _ mode: CheckpointMode, of name: String
  ) throws(StorageError) -> Checkpoint {
    try require(database: name)
    var (log, moved): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(raw, name, mode.number, &log, &moved)
    guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else {
      throw .sqlite("move the log into the database", SQLiteError(code, on: raw, sql: nil))
    }
    // Both are -1 where there is no log.
    return Checkpoint(
      logFrames: Int(max(0, log)), checkpointedFrames: Int(max(0, moved)),
      isComplete: code == SQLITE_OK && log == moved)
  }
}

extension CheckpointMode {
  fileprivate var number: Int32 {
    switch self {
    case .passive: SQLITE_CHECKPOINT_PASSIVE
    case .full: SQLITE_CHECKPOINT_FULL
    case .restart: SQLITE_CHECKPOINT_RESTART
    case .truncate: SQLITE_CHECKPOINT_TRUNCATE
    }
  }
}
