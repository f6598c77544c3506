import Foundation
import UndercroftCore
import UndercroftSQLite

/// A backend that stores names and values in several tables that must agree.
///
/// Each batch is one transaction with many statements and a nested transaction. Opening the backend
/// verifies that the tables agree.
final class LedgerBackend: StorageBackend {
  private let database: Database

  init(at url: URL, durability: Durability = .processDeath) throws {
    database = try Database(at: url, DatabaseOptions(durability: durability))
    try database.write { db in
      try db.execute("CREATE TABLE IF NOT EXISTS entry(name TEXT PRIMARY KEY, value BLOB)")
      try db.execute("CREATE TABLE IF NOT EXISTS size(name TEXT PRIMARY KEY, bytes INTEGER)")
      try db.execute("CREATE TABLE IF NOT EXISTS total(entries INTEGER, bytes INTEGER)")
      try db.execute("INSERT INTO total SELECT 0, 0 WHERE NOT EXISTS (SELECT * FROM total)")
    }
    try check()
  }

  private var path: String { database.location?.path() ?? ":memory:" }

  private func check() throws {
    let problems =
      try database.integrityCheck()
      + database.read { db in
        try db.fetchAll(
          """
          SELECT 'the total is wrong' FROM total WHERE entries <> (SELECT count(*) FROM entry)
            OR bytes <> (SELECT total(bytes) FROM size)
          UNION ALL SELECT 'a size is wrong' FROM entry LEFT JOIN size USING (name)
            WHERE size.bytes IS NOT length(value)
          UNION ALL SELECT 'a size too many' FROM size WHERE name NOT IN (SELECT name FROM entry)
          """
        ) { row in try row[0] as String }
      }
    if !problems.isEmpty {
      throw StorageError(
        .corrupted,
        "cannot open \(quoted(path)): the database is damaged: "
          + problems.joined(separator: ", "),
        suggestion: "inspect the file with the shell sqlite3")
    }
  }

  /// Copies the write-ahead log into the database file.
  func checkpoint() throws { try database.checkpoint(.truncate) }

  var name: String { "ledger" }
  var location: URL? { database.location }
  var capabilities: Capabilities { [.persistent, .atomicBatches, .crashSafe] }

  func read(_ key: String) throws(StorageError) -> Data? {
    try stored {
      try database.read { db in
        try db.fetchOne("SELECT value FROM entry WHERE name = \(key)") { row in try row[0] as Data }
      }
    }
  }

  func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try stored {
      try database.read { db in
        try db.fetchAll("SELECT name FROM entry") { row in try row[0] as String }
      }.filter { $0.utf8.starts(with: prefix.utf8) }
    }
  }

  func apply(_ changes: [StorageChange]) throws(StorageError) {
    try stored {
      try database.write { db in
        for change in changes { try Self.put(change, in: db) }
        try db.transaction { db in
          try db.execute(
            "UPDATE total SET entries = (SELECT count(*) FROM entry), bytes = (SELECT total(bytes) FROM size)"
          )
        }
      }
    }
  }

  private static func put(_ change: StorageChange, in db: Connection) throws {
    switch change {
    case .set(let name, let bytes):
      try db.execute("REPLACE INTO entry VALUES (\(name), \(bytes))")
      try db.execute("REPLACE INTO size VALUES (\(name), \(bytes.count))")
    case .remove(let name):
      try db.execute("DELETE FROM size WHERE name = \(name)")
      try db.execute("DELETE FROM entry WHERE name = \(name)")
    }
  }

  private func stored<Result>(_ body: () throws -> Result) throws(StorageError) -> Result {
    do {
      return try body()
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(.io, "cannot use the database \(quoted(path)): \(error)")
    }
  }
}
