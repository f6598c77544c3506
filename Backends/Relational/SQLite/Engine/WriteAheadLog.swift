import CSQLite
import UndercroftCore

/// What a write-ahead log holds, and how much of it has been moved into the database.
package struct WriteAheadLog: Sendable, Hashable {
  /// How many frames are valid: one page each. (`mxFrame`)
  package let frameCount: Int
  /// How many of them are in the database already. (`nBackfill`)
  package let movedCount: Int

  package init(frameCount: Int, movedCount: Int) {
    self.frameCount = frameCount
    self.movedCount = movedCount
  }

  /// Whether everything is in the database, so that the next writer may restart the log.
  package var isMoved: Bool { movedCount >= frameCount }

  /// Whether a checkpoint that does not hold the writers' lock may begin.
  ///
  /// Older libraries can damage a database when a writer restarts the log at the same instant as a checkpoint begins
  /// (https://sqlite.org/wal.html#walresetbug). A writer does so only while everything is moved, and then a checkpoint has nothing to do.
  package func allowsCheckpoint(by library: SQLiteVersion) -> Bool {
    !isMoved || library.resetsLogSafely
  }
}

extension SQLiteVersion {
  /// Whether a checkpoint may begin at the same instant as a writer restarts the log: 3.51.3, and the fixed earlier versions.
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
  /// Reads the state of the log of one database from its index; `nil` where there is none. (`xShmMap`)
  package func writeAheadLog(of name: String = "main") -> WriteAheadLog? {
    // To ask a database of another journal mode for the index would create one.
    let modes = Statement.aside("PRAGMA \(name.asName).journal_mode", on: raw) { statement in
      sqlite3_column_text(statement, 0).map { String(cString: $0) }
    }
    guard modes == ["wal"] else { return nil }
    var (valid, moved): (UInt32, UInt32) = (0, 0)
    guard undercroft_sqlite_log_frames(raw, name, &valid, &moved) != 0 else { return nil }
    return WriteAheadLog(frameCount: Int(valid), movedCount: Int(moved))
  }
}
