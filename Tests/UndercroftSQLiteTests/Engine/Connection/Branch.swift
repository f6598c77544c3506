import CSQLite
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// A library in a file, a second connection that reads it, and the connections of the engine.
struct Branch {
  let database: Database
  let other: OtherProgram
  let directory: URL

  var connections: [OpaquePointer] {
    RawConnections.all(in: directory).filter { $0 != other.connection }
  }

  /// Returns whether the other connection sees a title after its committed insertion.
  func lend(_ title: String) throws -> Bool {
    try database.write { db in try db.execute("INSERT INTO book(title) VALUES (\(title))") }
    return try other.texts("SELECT title FROM book").contains(title)
  }

  var openTransactions: Int { connections.count { sqlite3_get_autocommit($0) == 0 } }
}

/// Calls `body` with a new branch, whose readers have one connection.
func withBranch(_ body: (Branch) async throws -> Void) async throws {
  #expect(RawConnections.record())
  try await withTemporaryDirectory { directory in
    let url = directory.appending(path: "library.sqlite")
    let database = try Database(
      at: url, DatabaseOptions(lockTimeout: .hangLimit, readerCount: 1))
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT UNIQUE);
        CREATE TABLE loan(book INTEGER REFERENCES book(id) DEFERRABLE INITIALLY DEFERRED);
        """)
    }
    // Opens the reader connection.
    _ = try database.read { db in try db.fetchValue("SELECT count(*) FROM book", as: Int.self) }
    try await body(
      Branch(database: database, other: try OtherProgram(url), directory: directory))
  }
}
