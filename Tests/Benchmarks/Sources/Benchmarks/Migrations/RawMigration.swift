import Foundation
import RawSQLite

/// The same migration by calls of the SQLite C library, in one transaction and with the pragmas
/// that the toolkit sets.
final class RawMigration {
  private let database: OpaquePointer

  init(at url: URL) throws {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(url.path, &opened, flags, nil) == SQLITE_OK, let database = opened else {
      throw BenchmarkFailure("sqlite3_open failed")
    }
    self.database = database
    // Without automatic checkpoints, because a commit of the toolkit does not wait for a checkpoint
    // either.
    for sql in [
      "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", "PRAGMA secure_delete = FAST",
      "PRAGMA journal_size_limit = 16777216", "PRAGMA wal_autocheckpoint = 0",
      "PRAGMA foreign_keys = OFF", Book.pageCache,
    ] { try run(sql) }
  }

  deinit { sqlite3_close(database) }

  /// Runs statements until they have ended.
  func run(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw BenchmarkFailure("\(sql): \(String(cString: sqlite3_errmsg(database)))")
    }
  }

  func begin() throws { try run("BEGIN IMMEDIATE") }

  /// Checks the foreign keys and the integrity of the file as a migration does, and commits.
  func checkAndCommit() throws {
    try run("PRAGMA foreign_key_check")
    try run("PRAGMA integrity_check(100)")
    try run("COMMIT")
  }
}
