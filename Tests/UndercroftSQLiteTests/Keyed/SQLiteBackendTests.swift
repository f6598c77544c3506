import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftTesting

@Suite struct SQLiteBackendTests {
  @Test(arguments: BackendConformance.checks)
  func `a SQLite backend with a database file conforms to the backend contract`(
    to check: BackendConformance.Check
  ) async throws {
    let harness = Harness(inspector: .sqlite) {
      try SQLiteBackend(at: $0.appending(path: "library.sqlite"))
    }
    try await check.run(
      against: harness.breaking { directory, name in
        let backend = try SQLiteBackend(at: directory.appending(path: "library.sqlite"))
        try Self.refuse(name, in: backend)
        return backend
      })
  }

  @Test(arguments: BackendConformance.checks)
  func `a SQLite backend with an in-memory database conforms to the backend contract`(
    to check: BackendConformance.Check
  ) async throws {
    try await check.run(against: Harness { _ in SQLiteBackend(try Database.inMemory()) })
  }

  private static func refuse(_ name: String, in backend: SQLiteBackend) throws {
    try backend.apply([.set("first", Data()), .remove("first")])
    // A trigger cannot use bound values, so the refused name is stored in a table.
    try backend.database.write { db in
      try db.execute("CREATE TABLE IF NOT EXISTS refused(name TEXT)")
      try db.execute("INSERT INTO refused VALUES (\(name))")
      try db.execute(
        """
        CREATE TRIGGER IF NOT EXISTS refusal BEFORE INSERT ON undercroft_entry
        WHEN new.name IN (SELECT name FROM refused) BEGIN SELECT RAISE(ABORT, 'refused'); END
        """)
    }
  }

  @Test func `a SQLite backend used only for tables creates no table for key-value entries`() throws
  {
    try withTemporaryDirectory { directory in
      let backend = try SQLiteBackend(at: directory.appending(path: "library.sqlite"))
      try backend.database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      #expect(try backend.read("theme") == nil)
      #expect(try backend.keys(withPrefix: "") == [])
      try backend.apply([])
      let tables = try backend.database.read { db in
        try db.fetchAll("SELECT name FROM sqlite_schema") { row in try row[0] as String }
      }
      #expect(tables == ["book"])
    }
  }

  @Test
  func `key-value entries and tables share one database, which has Undercroft's application id`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let backend = try SQLiteBackend(at: url)
      try backend.database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      try backend.apply([.set("theme", Data("dark".utf8))])
      #expect(try backend.read("theme") == Data("dark".utf8))
      let number = try backend.database.read { db in
        try db.fetchOne("PRAGMA application_id") { row in try row[0] as Int }
      }
      #expect(number == 0x556e_6463)
    }
  }

  @Test
  func `the error for a key-value table with wrong columns does not contain the written value`()
    throws
  {
    let backend = SQLiteBackend(try Database.inMemory())
    try backend.database.write { db in
      try db.execute("CREATE TABLE undercroft_entry(other TEXT)")
    }

    let error = #expect(throws: StorageError.self) {
      try backend.apply([.set("theme", Data("secret value".utf8))])
    }
    #expect(error?.code == .corrupted)
    #expect(error.map { "\($0)".contains("secret value") } == false)
  }

  @Test
  func `a backend's failed first batch creates no key-value table and sets no application id`()
    throws
  {
    try withTemporaryDirectory { directory in
      let options = DatabaseOptions(setUp: { db in
        _ = try db.execute("PRAGMA max_page_count = 10")
      })
      for backend in [
        try SQLiteBackend(at: directory.appending(path: "library.sqlite"), options),
        SQLiteBackend(try Database.inMemory(options)),
      ] {
        let error = #expect(throws: StorageError.self) {
          try backend.apply([.set("theme", Data([1])), .set("cover", Data(count: 100_000))])
        }

        #expect(error?.code == .full)
        try backend.database.read { db in
          try #expect(db.fetchValue("SELECT count(*) FROM sqlite_schema", as: Int.self) == 0)
          try #expect(db.fetchValue("PRAGMA application_id", as: Int.self) == 0)
        }
        #expect(try backend.keys(withPrefix: "") == [])

        try backend.apply([.set("theme", Data([2]))])
        #expect(try backend.read("theme") == Data([2]))
      }
    }
  }

  @Test
  func `database(for:) returns the database of a SQLite backend and throws for a memory backend`()
    throws
  {
    var storage = Storage()
    try storage.use(.sqliteInMemory, for: .record)
    try storage.use(.memory, for: .document)
    let database = try storage.database(for: .record)

    #expect(
      try database.read { db in try db.fetchOne("SELECT 7") { row in try row[0] as Int } } == 7)
    let error = #expect(throws: StorageError.self) { try storage.database(for: .document) }
    #expect(error?.code == .notSupported)
    #expect(error?.message.contains("\"memory\"") == true)
    #expect(error?.message.contains(".sqlite(at:)") == true)
  }

  @Test
  func `inside a database write, the backend's external change count can be read and is unchanged`()
    throws
  {
    try withTemporaryDirectory { directory in
      let backend = try SQLiteBackend(at: directory.appending(path: "library.sqlite"))
      let before = backend.externalChangeCount()
      try backend.database.write { _ in #expect(backend.externalChangeCount() == before) }
    }
  }

  @Test
  func `a batch recreates the key-value table after a rollback of its creation or a DROP TABLE`()
    throws
  {
    struct Undone: Error {}
    try withTemporaryDirectory { directory in
      for backend in [
        try SQLiteBackend(at: directory.appending(path: "library.sqlite")),
        SQLiteBackend(try Database.inMemory()),
      ] {
        #expect(throws: Undone.self) {
          try backend.database.write { _ in
            try backend.apply([.set("theme", Data([1]))])
            #expect(try backend.read("theme") == Data([1]))
            throw Undone()
          }
        }
        #expect(try backend.read("theme") == nil)
        #expect(try backend.keys(withPrefix: "") == [])
        try backend.apply([.set("theme", Data([2]))])
        #expect(try backend.read("theme") == Data([2]))
        try backend.database.write { db in try db.execute("DROP TABLE undercroft_entry") }
        #expect(throws: StorageError.self) { try backend.read("theme") }
        #expect(try backend.read("theme") == nil)
        try backend.apply([.set("theme", Data([3]))])
        #expect(try backend.read("theme") == Data([3]))
      }
    }
  }
}
