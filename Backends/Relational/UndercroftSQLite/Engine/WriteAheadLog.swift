import CSQLite
import UndercroftCore

/// The state of a write-ahead log: the number of its frames, and the number of frames that have
/// been moved into the database file.
package struct WriteAheadLog: Sendable, Hashable {
  /// The number of valid frames in the log, with one page in each frame. (`mxFrame`)
  package let frameCount: Int
  /// The number of frames that have been moved into the database file. (`nBackfill`)
  package let checkpointedCount: Int

  package init(frameCount: Int, checkpointedCount: Int) {
    self.frameCount = frameCount
    self.checkpointedCount = checkpointedCount
  }

  /// Whether all frames have been moved into the database file, so that the next writer can restart
  /// the log.
  package var isCheckpointed: Bool { checkpointedCount >= frameCount }

  /// Returns whether a checkpoint can safely begin without holding the lock of the writers.
  ///
  /// Older libraries can damage a database if a writer restarts the log at the same instant as a
  /// checkpoint begins (https://sqlite.org/wal.html#walresetbug). A writer restarts the log only if
  /// all frames have been moved into the database file. In this state, a checkpoint has no work, so
  /// the result for an older library is `false`.
  package func allowsCheckpoint(by library: SQLiteVersion) -> Bool {
    !isCheckpointed || library.resetsLogSafely
  }
}

extension SQLiteVersion {
  /// Whether, in this version, a checkpoint can safely begin at the same instant as a writer
  /// restarts the log.
  ///
  /// This is safe in 3.51.3 and later versions, in 3.44.6 and later patches of 3.44, and in 3.50.7
  /// and later patches of 3.50.
  package var resetsLogSafely: Bool {
    switch (major, minor) {
    case (3, 44): patch >= 6
    case (3, 50): patch >= 7
    case (3, 51): patch >= 3
    default: self >= SQLiteVersion(3, 52)
    }
  }
}

extension Connection {
  /// Reads the state of a database's write-ahead log from the index of the log. (`xShmMap`)
  ///
  /// - Returns: the state, or `nil` if the database has no write-ahead log or the index cannot be
  ///   read.
  package func writeAheadLog(of name: String = "main") -> WriteAheadLog? {
    guard let raw = stateIfValid?.raw else { return nil }
    // Requesting the index from a database with another journal mode would create one.
    let modes = Statement.internalQuery("PRAGMA \(name.quotedIdentifier).journal_mode", on: raw) {
      statement in
      sqlite3_column_text(statement, 0).map { String(cString: $0) }
    }
    guard modes == ["wal"] else { return nil }
    var (valid, checkpointed): (UInt32, UInt32) = (0, 0)
    guard undercroft_sqlite_log_frames(raw, name, &valid, &checkpointed) != 0 else { return nil }
    return WriteAheadLog(frameCount: Int(valid), checkpointedCount: Int(checkpointed))
  }
}
