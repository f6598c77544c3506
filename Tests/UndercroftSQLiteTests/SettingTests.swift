import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite

/// What a `PRAGMA` may set, and where.
@Suite struct SettingTests {
  private struct Refusal: Error {}

  private func library() throws -> Database {
    let database = try Database.inMemory()
    try Library.fill(database)
    return database
  }

  private func enforces(_ db: borrowing Connection) throws -> Bool {
    try db.first("PRAGMA foreign_keys") { row in try row[0] as Bool } ?? false
  }

  @Test(
    arguments: [
      ("PRAGMA foreign_keys = OFF", "writeWithoutTransaction"),
      ("pragma main.FOREIGN_KEYS(0)", "writeWithoutTransaction"),
      ("PRAGMA synchronous = OFF", "writeWithoutTransaction"),
      ("PRAGMA wal_checkpoint", "checkpoint(_:)"),
      ("PRAGMA locking_mode = EXCLUSIVE", "write(.exclusive)"),
      ("PRAGMA busy_timeout = 50", "lockTimeout"),
      ("PRAGMA wal_autocheckpoint = 0", "checkpoint(_:)"),
      ("PRAGMA writable_schema = ON", "ALTER"),
      ("VACUUM", "vacuum()"),
    ] as [(SQL, String)])
  func
    `what SQLite would ignore, or what harms the engine, is refused in a transaction with a cure`(
      sql: SQL, cure: String
    ) throws
  {
    let database = try library()
    let error = #expect(throws: StorageError.self) {
      try database.execute(sql)
    }
    #expect(error?.code == .misuse)
    #expect(error?.message.contains(cure) == true)
    let inScript = #expect(throws: StorageError.self) {
      try database.write { db in try db.executeScript(sql) }
    }
    #expect(inScript?.code == .misuse)
    #expect(inScript?.message.contains(cure) == true)
  }

  @Test(
    arguments: [
      "PRAGMA foreign_keys", "PRAGMA foreign_keys = ON", "PRAGMA defer_foreign_keys = ON",
      "PRAGMA journal_mode", "PRAGMA locking_mode", "PRAGMA locking_mode = NORMAL",
      "PRAGMA writable_schema = OFF", "PRAGMA busy_timeout", "PRAGMA cache_size = -100",
      "PRAGMA user_version = 7", "PRAGMA recursive_triggers = ON",
    ] as [SQL])
  func `what works in a transaction is run there`(sql: SQL) throws {
    let database = try library()
    try database.execute(sql)
    try database.write { db in try db.executeScript(sql) }
  }

  @Test func `the journal of a file is not changed in a transaction`() throws {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      let error = #expect(throws: StorageError.self) {
        try database.execute("PRAGMA journal_mode = DELETE")
      }
      #expect(error?.message.contains("writeWithoutTransaction") == true)
      try database.writeWithoutTransaction { db in
        try db.execute("PRAGMA journal_mode = DELETE")
        let mode = try db.journalMode()
        #expect(mode == .delete)
      }
    }
  }

  @Test func `a table is rebuilt with foreign keys off, and they are enforced afterwards`() throws {
    let database = try library()
    try database.execute("INSERT INTO loan(book) VALUES (1)")
    try database.writeWithoutTransaction { db in
      try db.execute("PRAGMA foreign_keys = OFF")
      try db.transaction { db in
        try db.executeScript(
          """
          CREATE TABLE new_book(id INTEGER PRIMARY KEY, title TEXT NOT NULL, shelf INTEGER);
          INSERT INTO new_book(id, title) SELECT id, title FROM book;
          DROP TABLE book;
          ALTER TABLE new_book RENAME TO book;
          """)
        let violations = try db.foreignKeyCheck()
        #expect(violations.isEmpty)
      }
      let isOff = try !enforces(db)
      #expect(isOff)
    }
    let isOn = try database.write { db in try enforces(db) }
    #expect(isOn)
    let error = #expect(throws: StorageError.self) {
      try database.execute("DELETE FROM book WHERE id = 1")
    }
    #expect(error?.code == .constraintViolated)
  }

  @Test
  func `foreign keys are enforced again when the closure throws, and what is prepared knows it`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book(id INTEGER PRIMARY KEY);
        CREATE TABLE loan(book INTEGER REFERENCES book(id) ON DELETE CASCADE);
        INSERT INTO book VALUES (1), (2);
        INSERT INTO loan VALUES (1), (2);
        """)
    }
    var told: [String] = []
    let interceptor = TableInterceptor(of: ["loan"], before: { write in throw Refusal() })
    #expect(throws: Refusal.self) {
      try database.writeWithoutTransaction { db in
        try db.execute("PRAGMA foreign_keys = OFF")
        try db.execute("DELETE FROM book WHERE id = \(1)")
        let violations = try db.foreignKeyCheck()
        told = violations.map(\.table)
        throw Refusal()
      }
    }
    #expect(told == ["loan"])
    let registration = database.intercept(interceptor)
    #expect(throws: Refusal.self) { try database.execute("DELETE FROM book WHERE id = \(2)") }
    registration.cancel()
    try database.execute("DELETE FROM book WHERE id = \(2)")
    let left = try database.read { db in try db.query("SELECT book FROM loan") { try $0[0] as Int }
    }
    #expect(left == [1])
  }

  @Test func `a database that was set up without foreign keys stays so`() throws {
    let database = try Database.inMemory(
      .init(setUp: { db in try db.execute("PRAGMA foreign_keys = OFF") }))
    try Library.fill(database)
    try database.writeWithoutTransaction { db in try db.execute("PRAGMA foreign_keys = ON") }
    try database.execute("INSERT INTO loan(book) VALUES (77)")
    #expect(try database.foreignKeyCheck().count == 1)
  }

  @Test func `what a script sets is refused before it is done`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url, .init(lockTimeout: .seconds(60)))
      for sql in ["PRAGMA busy_timeout = 1", "SELECT 1; PRAGMA busy_timeout = 1"] as [SQL] {
        #expect(throws: StorageError.self) {
          try database.writeWithoutTransaction { db in try db.executeScript(sql) }
        }
      }
      #expect(throws: StorageError.self) {
        try database.execute("SELECT 1; PRAGMA busy_timeout = 1")
      }
      // It would not wait any more if its way of waiting were gone.
      let other = try Database(at: url)
      let waiting = try other.write { _ in
        let waiting = Library.elsewhere { try database.execute("CREATE TABLE shelf(name TEXT)") }
        Thread.sleep(forTimeInterval: 0.2)
        return waiting
      }
      #expect(throws: Never.self) { try waiting.take()?.get() }
    }
  }
}
