import Foundation
import RawSQLite

/// A store that is read and written by calls of the SQLite C library, with prepared statements and
/// a write-ahead log.
final class RawSQLiteStore: KeyedStore {
  private let database: OpaquePointer
  private let select: OpaquePointer
  private let insert: OpaquePointer
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(at url: URL) throws {
    var database: OpaquePointer?
    guard sqlite3_open(url.path, &database) == SQLITE_OK, let database else {
      throw BenchmarkFailure("sqlite3_open failed")
    }
    self.database = database
    for sql in [
      "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL",
      "CREATE TABLE IF NOT EXISTS entry(name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    ] {
      guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
        throw BenchmarkFailure("sqlite3_exec failed: \(sql)")
      }
    }
    select = try Self.prepare("SELECT value FROM entry WHERE name = ?", database)
    insert = try Self.prepare("INSERT OR REPLACE INTO entry(name, value) VALUES (?, ?)", database)
  }

  private static func prepare(_ sql: String, _ database: OpaquePointer) throws -> OpaquePointer {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw BenchmarkFailure("sqlite3_prepare_v2 failed: \(sql)")
    }
    return statement
  }

  deinit {
    sqlite3_finalize(select)
    sqlite3_finalize(insert)
    sqlite3_close(database)
  }

  func get(_ index: Int) throws -> Int {
    defer { sqlite3_reset(select) }
    sqlite3_bind_text(select, 1, Sample.names[index], -1, Self.transient)
    guard sqlite3_step(select) == SQLITE_ROW else { throw BenchmarkFailure("no such row") }
    let count = Int(sqlite3_column_bytes(select, 0))
    return sqlite3_column_blob(select, 0).map { Data(bytes: $0, count: count).count } ?? 0
  }

  func set(_ index: Int, _ value: Data) throws {
    defer { sqlite3_reset(insert) }
    sqlite3_bind_text(insert, 1, Sample.names[index], -1, Self.transient)
    _ = value.withUnsafeBytes {
      sqlite3_bind_blob(insert, 2, $0.baseAddress, Int32($0.count), Self.transient)
    }
    guard sqlite3_step(insert) == SQLITE_DONE else { throw BenchmarkFailure("cannot insert") }
  }

  func setBatch(_ values: [Data]) throws {
    sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil)
    for (index, value) in values.enumerated() { try set(index, value) }
    guard sqlite3_exec(database, "COMMIT", nil, nil, nil) == SQLITE_OK else {
      throw BenchmarkFailure("cannot commit")
    }
  }
}
