import Foundation
import Synchronization
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct TableInterceptorTests {
  private struct Closed: Error, Equatable { let table: String }

  private func library() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT)")
      try db.execute("CREATE TABLE loan(book INTEGER)")
      try db.execute("CREATE TABLE note(text TEXT)")
      try db.execute("INSERT INTO book VALUES (1, 'Dune')")
    }
    return database
  }

  private func count(_ table: String, _ database: Database) throws -> Int? {
    try database.read { db in
      try db.fetchOne("SELECT count(*) FROM \(identifier: table)") { row in try row[0] as Int }
    }
  }

  @Test(
    arguments: [
      "INSERT INTO loan VALUES (1)", "UPDATE LOAN SET book = 2", "DELETE FROM loan",
      "REPLACE INTO main.loan VALUES (1)", "DROP TABLE loan", "ALTER TABLE loan ADD COLUMN day",
      "CREATE INDEX loaned ON loan(book)",
      "WITH one(x) AS (VALUES (1)) INSERT INTO loan SELECT x FROM one RETURNING book",
    ] as [SQL])
  func `a statement refused by an interceptor changes nothing and throws the interceptor's error`(
    sql: SQL
  )
    throws
  {
    let database = try library()
    let registration = database.intercept(
      TableInterceptor(of: ["Loan"], before: { throw Closed(table: $0.table) }))
    #expect(throws: Closed(table: "loan")) {
      try database.write { db in
        try db.execute("UPDATE book SET title = 'Emma'")
        try db.execute(sql)
      }
    }
    #expect(throws: Closed(table: "loan")) {
      try database.write { db in try db.prepare(sql) { _ in } }
    }
    let title = try database.read { db in
      try db.fetchOne("SELECT title FROM book") { row in try row[0] as String }
    }
    #expect(title == "Dune")
    registration.cancel()
    try database.write { db in try db.execute(sql) }
  }

  @Test func `a cancelled interceptor does not retain the database`() throws {
    weak var database: Database?
    do {
      let opened = try library()
      database = opened
      let registration = opened.intercept(
        TableInterceptor(of: ["loan"], before: { _ in _ = opened.location }))
      try opened.write { db in try db.execute("INSERT INTO loan VALUES (1)") }
      registration.cancel()
    }

    #expect(database == nil)
  }

  @Test func `an interceptor receives the writes of a trigger`() throws {
    let database = try library()
    try database.write { db in
      try db.execute(
        "CREATE TRIGGER noting AFTER INSERT ON loan BEGIN INSERT INTO note VALUES ('lent'); END")
      // The statement is already cached when the interceptor is added.
      try db.execute("INSERT INTO loan VALUES (1)")
    }
    let shown = Mutex<[TableWrite]>([])
    let registration = database.intercept(
      TableInterceptor(before: { write in shown.withLock { $0.append(write) } }))
    try database.write { db in try db.execute("INSERT INTO loan VALUES (1)") }
    let writes = shown.withLock { $0 }

    #expect(writes.map(\.table) == ["loan", "note"])
    #expect(writes.map(\.operation) == [.insert, .insert])
    #expect(writes.map(\.trigger) == [nil, "noting"])
    withExtendedLifetime(registration) {}
  }

  @Test
  func `an interceptor receives the writes of a new trigger that an already cached INSERT fires`()
    throws
  {
    let database = try library()
    try database.write { db in
      try db.execute("CREATE TABLE journal(title TEXT)")
      try db.prepare("INSERT INTO book(title) VALUES (?)") { insert in
        try db.execute(
          "CREATE TRIGGER journalling AFTER INSERT ON book BEGIN INSERT INTO journal VALUES (new.title); END"
        )
        try insert.bind("Emma", at: 1)
        try insert.run()
      }
    }
    let seen = Mutex<[String]>([])
    let registration = database.intercept(
      TableInterceptor(before: { write in seen.withLock { $0.append(write.table) } }))
    try database.write { db in
      try db.prepare("INSERT INTO book(title) VALUES (?)") { insert in
        try insert.bind("Dune", at: 1)
        try insert.run()
      }
    }

    #expect(Set(seen.withLock(\.self)) == ["book", "journal"])
    withExtendedLifetime(registration) {}
  }

  @Test func `an interceptor receives the columns that an update sets`() throws {
    let database = try library()
    let shown = Mutex<[Set<String>]>([])
    let registration = database.intercept(
      TableInterceptor(before: { write in shown.withLock { $0.append(write.columns) } }))
    try database.write { db in try db.execute("UPDATE book SET TITLE = 'Emma', id = 2") }

    #expect(shown.withLock { $0 } == [["title", "id"]])
    withExtendedLifetime(registration) {}
  }

  @Test
  func `an interceptor can write in the same transaction, and is not called for its own writes`()
    throws
  {
    let database = try library()
    let registrations = [
      database.intercept(
        TableInterceptor(after: { write in
          try database.execute("INSERT INTO note VALUES (\(write.table))")
        })),
      database.intercept(
        TableInterceptor(
          of: ["note"],
          before: { _ in
            guard try self.count("note", database) ?? 0 < 2 else { throw Closed(table: "note") }
          })),
    ]
    try database.write { db in try db.execute("INSERT INTO loan VALUES (1)") }

    #expect(try count("note", database) == 1)
    // The write belongs to the same transaction, and other interceptors receive it.
    #expect(throws: Closed(table: "note")) {
      try database.write { db in
        try db.execute("INSERT INTO loan VALUES (2)")
        try db.execute("INSERT INTO loan VALUES (3)")
      }
    }
    #expect(try count("note", database) == 1)
    #expect(try count("loan", database) == 1)
    withExtendedLifetime(registrations) {}
  }

  @Test func `an error thrown by an interceptor after a write rolls back the transaction`() throws {
    let database = try library()
    let registration = database.intercept(
      TableInterceptor(of: ["book"], after: { throw Closed(table: $0.table) }))
    #expect(throws: Closed(table: "book")) {
      try database.write { db in try db.execute("DELETE FROM book") }
    }
    #expect(try count("book", database) == 1)
    withExtendedLifetime(registration) {}
  }

  @Test(arguments: [true, false])
  func `if the caller catches an interceptor's error, only the refused statement is rolled back`(
    inTransaction: Bool
  ) throws {
    let database = try library()
    let registration = database.intercept(
      TableInterceptor(
        of: ["loan"],
        after: { write in
          let isLent = try database.fetchValue("SELECT max(book) = 2 FROM loan", as: Bool.self)
          if isLent { throw Closed(table: write.table) }
        }))
    func lend(_ db: Connection) throws {
      for book in 1...3 {
        do {
          try db.execute("INSERT INTO loan VALUES (\(book))")
        } catch is Closed {}
      }
    }
    if inTransaction {
      try database.write { db in try lend(db) }
    } else {
      try database.writeWithoutTransaction { db in try lend(db) }
    }
    #expect(
      try database.fetchAll("SELECT book FROM loan ORDER BY 1") { try $0[0] as Int } == [1, 3])

    // A statement that fails without an interceptor retains what `OR FAIL` wrote.
    try database.write { db in
      try db.execute("CREATE UNIQUE INDEX once ON loan(book)")
      _ = try? db.execute("INSERT OR FAIL INTO loan VALUES (7), (1)")
    }
    #expect(try database.fetchValue("SELECT max(book) FROM loan", as: Int.self) == 7)
    withExtendedLifetime(registration) {}
  }

  @Test func `a read calls no interceptor`() throws {
    let database = try library()
    let registration = database.intercept(
      TableInterceptor(before: { throw Closed(table: $0.table) }))
    #expect(try count("book", database) == 1)
    try database.write { db in
      _ = try db.fetchAll("SELECT * FROM book") { _ in }
    }
    withExtendedLifetime(registration) {}
  }

  @Test(arguments: [true, false])
  func `after INSERT OR ROLLBACK rolled back the transaction, the write throws and commits nothing`(
    isIntercepted: Bool
  ) throws {
    let database = try library()
    let registration =
      isIntercepted
      ? database.intercept(TableInterceptor(of: ["book"], before: { _ in }, after: { _ in })) : nil
    let insert: SQL = "INSERT OR ROLLBACK INTO book(id, title) VALUES (?, 'Emma')"
    func fill(_ db: Connection) throws {
      try db.prepare(insert) { statement in
        try statement.bind(2, at: 1)
        try statement.run()
        try statement.bind(1, at: 1)
        #expect(throws: StorageError.self) { try statement.run() }
        try statement.bind(3, at: 1)
        try? statement.run()
      }
    }

    let error = #expect(throws: StorageError.self) {
      if isIntercepted {
        try database.writeWithoutTransaction { db in try fill(db) }
      } else {
        try database.write { db in try fill(db) }
      }
    }

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("ended the transaction") == true, "\(error as Any)")
    #expect(try count("book", database) == 1)
    withExtendedLifetime(registration) {}
  }
}
