import Foundation
import RawSQLite

/// Rebuilds the same table by calls of the C library, in one transaction and with the pragmas that
/// the engine sets.
final class RawMigration {
  private let database: OpaquePointer

  init(at url: URL) throws {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(url.path, &opened, flags, nil) == SQLITE_OK, let database = opened else {
      throw BenchmarkFailure("sqlite3_open failed")
    }
    self.database = database
    // Nor does a commit of ours wait for the log to be moved into the file.
    for sql in [
      "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", "PRAGMA secure_delete = FAST",
      "PRAGMA journal_size_limit = 16777216", "PRAGMA wal_autocheckpoint = 0",
      "PRAGMA foreign_keys = OFF", Book.pageCache,
    ] { try run(sql) }
  }

  deinit { sqlite3_close(database) }

  /// Runs statements to their ends.
  func run(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw BenchmarkFailure("\(sql): \(String(cString: sqlite3_errmsg(database)))")
    }
  }

  func begin() throws { try run("BEGIN IMMEDIATE") }

  /// Looks through the file as a migration does, and commits.
  func checkAndCommit() throws {
    try run("PRAGMA foreign_key_check")
    try run("PRAGMA integrity_check(100)")
    try run("COMMIT")
  }
}
