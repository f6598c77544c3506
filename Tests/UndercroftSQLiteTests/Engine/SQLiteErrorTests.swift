import BehaviourTrait
import CSQLite
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct SQLiteErrorTests {
  @Test(.behaviour("A-FM-36"))
  func `the error of a failed statement contains codes, message and SQL, but no bound value`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in try db.execute("CREATE TABLE book(title TEXT UNIQUE)") }
    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        for _ in 0..<2 { try db.execute("INSERT INTO book VALUES (\("my secret"))") }
      }
    }

    let cause = error?.underlying as? SQLiteError
    #expect(error?.code == .constraintViolated)
    #expect(error?.backend == "sqlite")
    #expect(cause?.code == .constraintUnique)
    #expect(cause?.code.primary == .constraint)
    #expect(cause?.message == "UNIQUE constraint failed: book.title")
    #expect(cause?.sql == "INSERT INTO book VALUES (?)")
    #expect("\(error as Any) \(cause as Any)".contains("secret") == false)
  }

  @Test
  func `SQLiteError uses sqlite3_errmsg only if its code is the connection's latest error code`()
    throws
  {
    var connection: OpaquePointer?
    #expect(sqlite3_open(":memory:", &connection) == SQLITE_OK)
    defer { sqlite3_close(connection) }

    let afterSuccess = SQLiteError(SQLITE_MISUSE, on: connection, sql: nil)
    #expect(sqlite3_exec(connection, "SELECT absent", nil, nil, nil) == SQLITE_ERROR)
    let afterFailure = SQLiteError(SQLITE_MISUSE, on: connection, sql: nil)
    let stored = SQLiteError(SQLITE_ERROR, on: connection, sql: nil)

    #expect(afterSuccess.message == "bad parameter or other API misuse")
    #expect(afterFailure.message == "bad parameter or other API misuse")
    #expect(stored.message == "no such column: absent")
  }

  @Test func `the description of a SQLite error contains the cause that the system reported`() {
    let cause = String(cString: strerror(EIO)).lowercased()
    let flush = SQLiteError(1034, on: nil, sql: nil, lastNumber: EIO)

    #expect("\(flush)" == "disk I/O error: \(cause) (SQLite code 1034, errno \(EIO))")
    // SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_NOMEM and SQLITE_BUSY.
    for code: Int32 in [522, 3082, 5] {
      let error = SQLiteError(code, on: nil, sql: nil, lastNumber: ENOENT)
      #expect(error.systemErrorNumber == 0)
      #expect(!"\(error)".contains("errno"))
    }
  }

  @Test
  func `if a set-up closure's error names the file, opening the database preserves the message`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let options = DatabaseOptions(setUp: { _ in
        throw StorageError(.unavailable, "cannot read \"\(url.path)\": the list is missing")
      })

      let error = #expect(throws: StorageError.self) { try Database(at: url, options) }

      #expect(error?.backend == "sqlite")
      #expect(error?.message == "cannot read \"\(url.path)\": the list is missing")
    }
  }

  @Test func `a byte order mark around a statement is treated as white space`() throws {
    try Database.inMemory().write { db in
      try db.execute("\u{FEFF}CREATE TABLE book(title);\u{FEFF}")
      try db.execute("\u{FEFF};\u{FEFF} INSERT INTO book VALUES (1) ;\u{FEFF}")
      #expect(try db.fetchValue("SELECT title FROM book;\u{FEFF} ", as: Int.self) == 1)
    }
  }

  @Test
  func `the error for an unknown name with combining marks has bounded length and suggests a fix`()
    throws
  {
    let database = try Database.inMemory()
    for (sql, suggestion) in [
      ("SELECT * FROM \u{301}loan", "attach"), ("SELECT \u{301}day", "columns(of:)"),
      ("SELECT \u{301}day()", "setUp"),
      ("SELECT x" + String(repeating: "\u{301}", count: 9999), "?"),
    ] {
      let error = #expect(throws: StorageError.self) {
        try database.write { db in try db.execute(SQL(unchecked: sql)) }
      }
      let message = try #require(error).message
      #expect(message.utf8.count < 22_000)
      #expect(suggestion == "?" || message.contains(suggestion), "\(message)")
    }
  }

  @Test func `an error message quotes SQL verbatim, up to 1500 bytes`() throws {
    let database = try Database.inMemory()
    let sql = "SELECT \"title\", 'it''s \\'\n\tFROM book -- " + String(repeating: "x", count: 300)
    let error = #expect(throws: StorageError.self) {
      try database.write { db in try db.execute(SQL(unchecked: sql)) }
    }
    #expect(error?.message.contains(sql) == true, "\(error as Any)")

    let long = "SELECT 1 FROM book WHERE " + String(repeating: "1 = 1 AND ", count: 5_000) + "1"
    let other = #expect(throws: StorageError.self) {
      try database.write { db in try db.execute(SQL(unchecked: long)) }
    }
    let message = try #require(other).message
    #expect(message.contains("the first 1500 of \(long.utf8.count) bytes"), "\(message)")
    #expect((other?.underlying as? SQLiteError)?.sql == long)
  }

  @Test func `the error for a locked database names the file`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let options = DatabaseOptions(lockTimeout: .zero, readerCount: 1)
      let (database, other) = (try Database(at: url, options), try Database(at: url, options))
      try database.write { _ in
        let errors = [
          #expect(throws: StorageError.self) { try other.write { _ in } },
          try inBackground {
            #expect(throws: StorageError.self) { try database.write { _ in } }
          }.wait()?.get(),
        ]
        for error in errors {
          #expect(error?.code == .locked)
          #expect(error?.message.contains(url.path) == true, "\(error as Any)")
        }
      }
    }
  }

  @Test func `an error omits a SQLite message that quotes a bound value`() throws {
    let database = try Database.inMemory()
    try database.write { db in try db.execute("CREATE VIRTUAL TABLE book USING fts5(title)") }

    let error = #expect(throws: StorageError.self) {
      try database.read { db in
        try db.fetchAll("SELECT * FROM book WHERE book MATCH \("secret:word")") { _ in 1 }
      }
    }
    #expect("\(error as Any)".contains("secret") == false)
  }

  @Test func `a write to a full database throws a database-full error and is rolled back`() throws {
    let database = try Database.inMemory(
      .init(setUp: { db in try db.execute("PRAGMA max_page_count = 10") }))
    try database.execute("CREATE TABLE cover(image BLOB)")

    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.execute("INSERT INTO cover VALUES (\(Data([1])))")
        try db.execute("INSERT INTO cover VALUES (\(Data(count: 1_000_000)))")
      }
    }
    #expect(error?.code == .full)
    #expect(try database.read { db in try db.fetchAll("SELECT 1 FROM cover") { _ in 1 } } == [])
  }

  @Test func `dropping a table that a query is reading throws a locked error`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE book(title TEXT)")
      try db.execute("INSERT INTO book VALUES ('Emma')")
    }

    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.forEach("SELECT title FROM book") { _ in try db.execute("DROP TABLE book") }
      }
    }
    #expect(error?.code == .locked)
  }

  @Test(.behaviour("A-FM-02"))
  func `running SQL with a syntax error throws a misuse error with SQLite's message`()
    throws
  {
    let database = try Database.inMemory()
    let error = #expect(throws: StorageError.self) {
      try database.write { db in try db.execute("blah blah blah") }
    }
    let cause = error?.underlying as? SQLiteError
    #expect(error?.code == .misuse)
    #expect(cause?.code == .error)
    #expect(cause?.message.contains("blah") == true)
    #expect(error?.message.contains("syntax error") == true)
  }

  private struct Refusal: Error, Equatable { var reason: String }

  @Test(.behaviour("A-WC-18"))
  func `a write throws the error that its closure throws, even if SQLite ended the transaction`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in try db.execute("CREATE TABLE book(title TEXT UNIQUE)") }

    let own = #expect(throws: Refusal.self) {
      try database.write { db in
        try db.execute("INSERT INTO book VALUES ('Emma')")
        var code: StorageError.Code?
        do {
          try db.execute("INSERT INTO book VALUES ('Emma')")
        } catch let error as StorageError {
          code = error.code
        }
        #expect(code == .constraintViolated)
        throw Refusal(reason: "enough")
      }
    }
    #expect(own == Refusal(reason: "enough"))
    let engine = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.execute("INSERT OR ROLLBACK INTO book VALUES ('Emma'), ('Emma')")
      }
    }
    #expect(engine?.code == .constraintViolated)
    #expect(try database.read { db in try db.fetchValue("SELECT count(*) FROM book") } == 0)
  }

  @Test(.behaviour("A-WC-23"))
  func `errors of one task do not affect other tasks that use the same database`() async throws {
    let database = try Database.inMemory()
    try database.write { db in try db.execute("CREATE TABLE book(number INTEGER UNIQUE)") }
    let counts = await withTaskGroup(of: Int.self) { group in
      for thread in 0..<4 {
        group.addTask {
          var errors = 0
          for round in 0..<200 {
            do {
              if thread == 0 {
                _ = try database.read { db in try db.fetchAll("SELECT absent FROM book") { _ in 1 }
                }
              } else {
                try database.write { db in
                  try db.execute("INSERT INTO book VALUES (\(thread * 1000 + round))")
                }
              }
            } catch {
              errors += 1
            }
          }
          return thread == 0 ? errors - 200 : errors
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }

    #expect(counts == [0, 0, 0, 0])
    #expect(try database.read { db in try db.fetchValue("SELECT count(*) FROM book") } == 600)
  }

  @Test(arguments: [true, false])
  func `an error contains the bound values only if showsArguments is set`(showsArguments: Bool)
    throws
  {
    var options = DatabaseOptions()
    options.showsArguments = showsArguments
    let database = try Database.inMemory(options)
    try database.write { db in try db.execute("CREATE TABLE book(title TEXT UNIQUE)") }

    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        for _ in 0..<2 { try db.execute("INSERT INTO book VALUES (\("Dune"))") }
      }
    }
    let cause = try #require(error?.underlying as? SQLiteError)
    #expect(cause.sql == "INSERT INTO book VALUES (?)")
    #expect(cause.expandedSQL == (showsArguments ? "INSERT INTO book VALUES ('Dune')" : nil))
    #expect(error?.message.contains("Dune") == false)
  }

  @Test
  func `the error for a bound value where SQLite allows none suggests an identifier or a literal`()
    throws
  {
    let database = try Database.inMemory()
    let (table, ids, number) = ("book", [1, 2], 100)
    for sql in [
      "SELECT * FROM \(table)", "SELECT 1 WHERE 1 IN \(ids)", "PRAGMA cache_size = \(number)",
    ] as [SQL] {
      let error = #expect(throws: StorageError.self) {
        try database.read { db in try db.fetchAll(sql) { _ in } }
      }
      #expect(error?.code == .misuse)
      #expect(error?.message.contains("\\(identifier: name)") == true)
    }

    let inSchema = #expect(throws: StorageError.self) {
      try database.execute("CREATE VIEW shelf AS SELECT \(number)")
    }
    #expect(inSchema?.message.contains("write the value directly into the SQL") == true)
    let mistyped = #expect(throws: StorageError.self) { try database.execute("SELEKT \(number)") }
    #expect(mistyped?.message.contains("identifier") == false)
  }

  @Test func `the error for two statements in one SQL string suggests executeScript`() throws {
    let database = try Database.inMemory()
    let error = #expect(throws: StorageError.self) {
      try database.execute("CREATE TABLE book(title TEXT); CREATE TABLE loan(book INTEGER)")
    }
    #expect(error?.message.contains("executeScript") == true)
  }

  @Test func `the error for a write based on a stale snapshot suggests an immediate transaction`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let (one, other) = (try Database(at: url), try Database(at: url))
      try Library.fill(one)

      let error = #expect(throws: StorageError.self) {
        try one.write(lock: .deferred) { db in
          _ = try db.fetchValue("SELECT count(*) FROM book", as: Int.self)
          try other.execute("DELETE FROM book WHERE id = 1")
          try db.execute("DELETE FROM book WHERE id = 2")
        }
      }
      #expect(error?.code == .locked)
      #expect((error?.underlying as? SQLiteError)?.code == .busySnapshot)
      #expect(error?.message.contains("write(lock: .immediate)") == true)
      #expect(error?.message.contains("longer") == false)
    }
  }

  @Test
  func `a query throws a misuse error if its row closure causes a rollback of the transaction`()
    throws
  {
    let database = try Database.inMemory()
    try Library.fill(database)

    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        // Without a schema change, the remaining rows could still be read.
        try db.execute("CREATE TABLE shelf(name TEXT)")
        try db.forEach("SELECT id FROM book") { _ in
          _ = try? db.execute("INSERT OR ROLLBACK INTO book(id, title) VALUES (1, 'Dune')")
        }
      }
    }
    #expect(error?.code == .misuse)
    #expect(error?.message.contains("ended the transaction") == true)
    #expect((error?.underlying as? SQLiteError)?.code == .abortRollback)
  }

  @Test(
    arguments: [
      ("SELECT titel FROM book", "db.columns(of:)"), ("SELECT 1 FROM archive.book", "attach"),
      ("SELECT 1 FROM page WHERE page MATCH \("\"")", "FullTextQuery"),
    ] as [(SQL, String)])
  func `the error for an unknown column or database or a malformed FTS5 query suggests a fix`(
    sql: SQL, suggestion: String
  ) throws {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE book(title TEXT)")
    try database.execute("CREATE VIRTUAL TABLE page USING fts5(title)")

    let error = #expect(throws: StorageError.self) { try database.fetchAll(sql) { _ in } }
    #expect("\(try #require(error))".contains(suggestion))
  }
}
