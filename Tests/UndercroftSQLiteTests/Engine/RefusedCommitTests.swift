import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of statements outside a transaction, which are committed when they end.
@Suite struct RefusedCommitTests {
  private func library() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book (id INTEGER PRIMARY KEY);
        CREATE TABLE lending (
          id INTEGER PRIMARY KEY,
          book INTEGER REFERENCES book (id) DEFERRABLE INITIALLY DEFERRED)
        """)
    }
    return database
  }

  private static let insert: SQL = "INSERT INTO lending (book) VALUES (999) RETURNING id"

  @Test
  func `fetchOne of an INSERT with RETURNING throws if the commit violates a deferred foreign key`()
    throws
  {
    let database = try library()

    #expect(throws: StorageError.self) {
      try database.writeWithoutTransaction { db in
        try db.fetchOne(Self.insert) { row in try row[0] as Int }
      }
    }

    #expect(try database.fetchValue("SELECT count(*) FROM lending", as: Int.self) == 0)
  }

  @Test
  func `a script whose row closure returns .stop throws if the commit violates a foreign key`()
    throws
  {
    let database = try library()

    #expect(throws: StorageError.self) {
      try database.writeWithoutTransaction { db in
        try db.executeScript(Self.insert) { _ in .stop }
      }
    }

    #expect(try database.fetchValue("SELECT count(*) FROM lending", as: Int.self) == 0)
  }

  @Test func `an error of the row closure takes precedence over the error of a refused commit`()
    throws
  {
    struct LibraryClosed: Error {}
    let database = try library()

    #expect(throws: LibraryClosed.self) {
      try database.writeWithoutTransaction { db in
        try db.forEach(Self.insert) { _ in throw LibraryClosed() }
      }
    }

    #expect(try database.fetchValue("SELECT count(*) FROM lending", as: Int.self) == 0)
  }
}
