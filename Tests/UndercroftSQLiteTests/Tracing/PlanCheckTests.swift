import Foundation
import Synchronization
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct PlanCheckTests {
  private func library(_ check: @escaping @Sendable (PlanWarning) throws -> Void) throws -> Database
  {
    var options = DatabaseOptions()
    options.planCheck = check
    let database = try Database.inMemory(options)
    try database.write { db in
      try db.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, shelf INTEGER)")
      try db.execute("CREATE TABLE loan(book INTEGER, day TEXT)")
      try db.execute("CREATE TABLE \u{301}loan(book INTEGER)")
      try db.execute("CREATE INDEX shelved ON book(shelf, title)")
      try db.execute("CREATE VIRTUAL TABLE page USING fts5(text)")
    }
    return database
  }

  @Test(
    arguments: [
      ("SELECT * FROM book WHERE title = 'Dune'", .fullScan(table: "book")),
      ("DELETE FROM loan WHERE day < '2026'", .fullScan(table: "loan")),
      ("SELECT * FROM \u{301}loan", .fullScan(table: "\u{301}loan")),
      ("SELECT shelf FROM book WHERE id > 3 ORDER BY title", .temporaryTree),
      ("SELECT DISTINCT title FROM book WHERE shelf > 1", .temporaryTree),
    ] as [(SQL, PlanWarning.Cause)])
  func `an error thrown by the planCheck closure for a slow query plan reaches the caller`(
    sql: SQL, cause: PlanWarning.Cause
  ) throws {
    let database = try library { warning in throw warning }
    for _ in 0..<2 {
      let warning = #expect(throws: PlanWarning.self) {
        try database.write { db in try db.execute(sql) }
      }
      #expect(warning?.cause == cause)
      #expect(warning?.sql == sql.text)
    }
  }

  @Test(
    arguments: [
      "SELECT * FROM book WHERE id = 1", "SELECT title FROM book WHERE shelf = 2 ORDER BY title",
      "INSERT INTO book(title) VALUES ('Dune')", "SELECT * FROM page WHERE page MATCH 'dune'",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3) SELECT max(i) FROM n",
      "PRAGMA user_version", "CREATE TABLE reader(name TEXT)", "VALUES (1), (2)",
      "SELECT name FROM temp.sqlite_schema ORDER BY name",
      "SELECT name FROM pragma_table_info('book') ORDER BY name",
    ] as [SQL])
  func `the planCheck closure receives no warning for an efficient query plan`(sql: SQL) throws {
    let database = try library { warning in throw warning }
    try database.write { db in _ = try db.fetchAll(sql) { _ in } }
  }

  @Test func `the planCheck closure receives each warning once per compiled statement`() throws {
    let warnings = Mutex<[PlanWarning]>([])
    let database = try library { warning in warnings.withLock { $0.append(warning) } }
    for _ in 0..<3 {
      try database.read { db in
        _ = try db.fetchAll("SELECT * FROM loan, book WHERE day = title") { _ in }
      }
    }

    #expect(warnings.withLock { $0.map(\.cause) }.contains(.automaticIndex))
    #expect(warnings.withLock { $0.count } == 2)
  }

  @Test func `the planCheck closure can run a statement that itself has a slow query plan`() throws
  {
    let box = Mutex<Database?>(nil)
    let count = Mutex(0)
    var options = DatabaseOptions()
    options.planCheck = { _ in
      count.withLock { $0 += 1 }
      _ = try box.withLock(\.self)?.read { db in
        try db.fetchAll("SELECT shelf FROM book ORDER BY shelf") { row in try row[0] as Int? }
      }
    }
    let database = try Database.inMemory(options)
    try database.execute("CREATE TABLE book(title TEXT, shelf INTEGER)")
    box.withLock { $0 = database }
    defer { box.withLock { $0 = nil } }
    _ = try database.read { db in
      try db.fetchAll("SELECT title FROM book ORDER BY title") { row in try row[0] as String }
    }

    #expect(count.withLock(\.self) == 2)
  }
}
