import CSQLite
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of the observers and interceptors of a database whose schema changes.
@Suite struct SchemaChangeObservationTests {
  private struct Refusal: Error {}

  @Test func `an interceptor is called for writes of a trigger whose DROP was rolled back`()
    throws
  {
    let database = try ObservedLibrary.withNotes()
    try database.write { db in
      try db.execute(
        "CREATE TRIGGER noting AFTER INSERT ON book BEGIN INSERT INTO note VALUES (new.title); END")
    }
    let registration = database.intercept(
      TableInterceptor(of: ["note"], before: { _ in throw Refusal() }))
    let insert: SQL = "INSERT INTO book(title) VALUES (hex(randomblob(8)))"
    #expect(throws: Refusal.self) {
      try database.write { db in
        try db.execute("DROP TRIGGER noting")
        try db.execute(insert)
        throw Refusal()
      }
    }
    #expect(throws: Refusal.self) { try database.write { db in try db.execute(insert) } }

    let count = try database.read { db in
      try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] as Int }
    }
    #expect(count == 2)
    withExtendedLifetime(registration) {}
  }

  @Test func `observers receive the correct changed columns after a schema change was rolled back`()
    throws
  {
    let database = try ObservedLibrary.withNotes()
    let commits = CommitCollector()
    let registration = try database.observe(.table("book"), detail: .rows) { commits.append($0) }
    try? database.write { db in
      try db.execute("ALTER TABLE book ADD COLUMN day TEXT")
      try db.execute("UPDATE book SET day = 'Monday'")
      throw Refusal()
    }
    _ = commits.drain()
    try database.write { db in try db.execute("UPDATE book SET shelf = 9 WHERE id = 1") }
    #expect(commits.drainRows()?.map(\.columns) == [["shelf"]])

    try database.write { db in try db.execute("ALTER TABLE book ADD COLUMN day TEXT") }
    #expect(commits.drain().first?.tables?.first?.operations == [.alter])

    try database.write { db in
      try db.execute("UPDATE book SET day = 'Monday' WHERE id = 1")
    }
    #expect(commits.drainRows()?.map(\.columns) == [["day"]])
    withExtendedLifetime(registration) {}
  }

  @Test func `a statement in use during a schema change is recompiled before the next use`() throws
  {
    let database = try ObservedLibrary.withNotes()
    let registration = database.intercept(
      TableInterceptor(of: ["note"], before: { _ in throw Refusal() }))
    let insert: SQL = "INSERT INTO book(title) VALUES (hex(randomblob(8)))"
    try database.write { db in try db.execute(insert) }
    try database.write { db in
      try db.prepare(insert) { statement in
        try db.execute(
          "CREATE TRIGGER noting AFTER INSERT ON book BEGIN INSERT INTO note VALUES ('x'); END")
        withExtendedLifetime(registration) {}
      }
    }

    #expect(throws: Refusal.self) { try database.write { db in try db.execute(insert) } }
  }

  @Test(arguments: [true, false])
  func `observers receive changed columns even if the transaction also changes the schema`(
    isUndone: Bool
  ) throws {
    let database = try ObservedLibrary.withNotes()
    let commits = CommitCollector()
    let registration = try database.observe(.table("book", columns: ["title"])) {
      commits.append($0)
    }
    try database.write { db in
      try db.execute("UPDATE book SET title = 'Ulysses' WHERE id = 1")
      try? db.transaction { db in
        try db.execute("CREATE TABLE reader(name TEXT)")
        if isUndone { throw Refusal() }
      }
    }

    #expect(commits.drain().count == 1)
    withExtendedLifetime(registration) {}
  }

  @Test(arguments: [true, false])
  func `schema and row changes of a script are reported to observers`(observesRows: Bool) throws {
    let database = try ObservedLibrary.withNotes(observesRows: observesRows)
    let commits = CommitCollector()
    let registration = try database.observe(.table("book")) { commits.append($0) }
    try database.write { db in
      try db.executeScript(
        "CREATE TABLE other(id, title, shelf); DROP TABLE book; ALTER TABLE other RENAME TO book")
    }
    try database.write { db in try db.executeScript("INSERT INTO book VALUES (3, 'Ulysses', 1)") }

    #expect(commits.drain().count == 2)
    withExtendedLifetime(registration) {}
  }

  @Test func `observers receive rowids after a WITHOUT ROWID table is recreated with rowids`()
    throws
  {
    let database = try ObservedLibrary.withNotes()
    try database.execute("CREATE TABLE place(room TEXT PRIMARY KEY) WITHOUT ROWID")
    let commits = CommitCollector()
    let registration = try database.observe(.table("place"), detail: .rows) { commits.append($0) }
    try database.execute("INSERT INTO place VALUES ('attic')")
    #expect(commits.drainRows()?.map(\.key) == [[.text("attic")]])

    try database.write { db in
      try db.execute("DROP TABLE place")
      try db.execute("CREATE TABLE place(room TEXT)")
    }
    _ = commits.drain()
    try database.execute("INSERT INTO place VALUES ('cellar')")
    let rows = commits.drainRows()
    #expect(rows?.map(\.rowID) == [1])
    #expect(rows?.map(\.key) == [nil])
    withExtendedLifetime(registration) {}
  }

  @Test func `a statement tracer can write while the database reads the schema for an observer`()
    throws
  {
    let box = Mutex<Database?>(nil)
    var options = DatabaseOptions()
    options.tracer = StatementTracer { trace in
      guard trace.sql.contains("pragma_table_xinfo") else { return }
      _ = try? box.withLock(\.self)?.execute("UPDATE reader SET name = 'Ada'")
    }
    let database = try Database.inMemory(options)
    try database.write { db in
      try db.execute("CREATE TABLE book(title TEXT)")
      try db.execute("CREATE TABLE reader(name TEXT)")
    }
    box.withLock { $0 = database }
    defer { box.withLock { $0 = nil } }
    let commits = CommitCollector()
    let registration = try database.observe(.everything) { commits.append($0) }
    try database.execute("INSERT INTO book VALUES ('Dune')")

    #expect(commits.drain().isEmpty == false)
    withExtendedLifetime(registration) {}
  }

  /// The recorder discards the columns of a table when the schema changes, and reads them again
  /// with an internal query.
  @Test func `observers receive a change without rows if the columns of the table cannot be read`()
    throws
  {
    #expect(RawConnections.record())
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      try Library.fill(database)
      let commits = CommitCollector()
      let registration = try database.observe(.table("book"), detail: .rows) { change in
        if change.origin == .application { commits.append(change) }
      }
      defer { registration.cancel() }
      let isInterrupting = Mutex(false)
      let hook = StatementHook(
        """
        SELECT schema, name, wr, type = 'virtual' FROM pragma_table_list
        WHERE schema = 'main' AND name = ?1 OR schema || '.' || name = ?1
        """, on: RawConnections.all(in: directory)
      ) { connection in
        if isInterrupting.withLock({ $0 }) { sqlite3_interrupt(connection) }
      }

      try database.write { db in
        try db.execute("DELETE FROM book WHERE id = 1")
        try db.execute("CREATE TABLE shelf(id INTEGER PRIMARY KEY)")
        isInterrupting.withLock { $0 = true }
        try db.execute("DELETE FROM book WHERE id = 2")
      }

      #expect(hook.runCount > 1)
      var changes = commits.drain()
      for _ in 0..<600_000 where changes.isEmpty {
        usleep(1_000)
        changes = commits.drain()
      }
      let change = try #require(changes.first?.tables?.first)
      #expect(change.operations == [.delete])
      #expect(change.rows == nil)
    }
  }
}
