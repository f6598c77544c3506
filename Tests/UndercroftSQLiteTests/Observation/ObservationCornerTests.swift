import CSQLite
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of edge cases in which changes could be reported incorrectly or not be reported.
@Suite struct ObservationCornerTests {
  private struct Refusal: Error {}

  private func library(observesRows: Bool = true) throws -> Database {
    var options = DatabaseOptions()
    options.observesRows = observesRows
    let database = try Database.inMemory(options)
    try database.write { db in
      try db.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT UNIQUE, shelf INTEGER)")
      try db.execute("CREATE TABLE note(text TEXT)")
      try db.execute("INSERT INTO book VALUES (1, 'Dune', 1), (2, 'Emma', 2)")
    }
    return database
  }

  @Test func `rows written by the triggers of a failed statement are not reported to observers`()
    throws
  {
    let database = try library()
    try database.write { db in
      try db.execute(
        "CREATE TRIGGER noting AFTER INSERT ON book BEGIN INSERT INTO note VALUES (new.title); END")
    }
    let commits = CommitCollector()
    let registration = try database.observe(.everything, detail: .rows) { commits.append($0) }
    try database.write { db in
      try db.execute("INSERT INTO book VALUES (3, 'Ulysses', 1)")
      _ = try? db.execute("INSERT INTO book VALUES (4, 'Persuasion', 1), (5, 'Dune', 1)")
    }
    let tables = try #require(commits.drain().first?.tables)

    #expect(tables.map(\.table) == ["book", "note"])
    #expect(tables.first?.rows?.map(\.rowID) == [3])
    #expect(tables.last?.rows?.count == 1)
    withExtendedLifetime(registration) {}
  }

  @Test func `rows that INSERT OR FAIL writes before the failure are reported to observers`() throws
  {
    let database = try library()
    let commits = CommitCollector()
    let registration = try database.observe(.table("book"), detail: .rows) { commits.append($0) }
    try database.write { db in
      _ = try? db.execute("INSERT OR FAIL INTO book VALUES (4, 'Persuasion', 1), (5, 'Dune', 1)")
    }

    #expect(commits.drainRows()?.map(\.rowID) == [4])
    withExtendedLifetime(registration) {}
  }

  @Test(arguments: [true, false])
  func `a prepared statement's change notifies observers even if the prepare closure then throws`(
    observesRows: Bool
  ) throws {
    let database = try library(observesRows: observesRows)
    try database.write { db in try db.execute("CREATE VIRTUAL TABLE page USING fts5(text)") }
    let commits = CommitCollector()
    let registration = try database.observe(.everything) { commits.append($0) }
    try database.write { db in
      try? db.prepare("INSERT INTO page VALUES ('night')") { insert in
        try insert.run()
        throw Refusal()
      }
      try? db.prepare("CREATE TABLE reader(name TEXT)") { create in
        try create.run()
        throw Refusal()
      }
    }
    let tables = commits.drain().first?.tables?.map(\.table) ?? []

    #expect(tables.contains("page"))
    #expect(tables.contains("reader"))
    withExtendedLifetime(registration) {}
  }

  @Test func `an interceptor is called for writes of a trigger whose DROP was rolled back`()
    throws
  {
    let database = try library()
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
    let database = try library()
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

  @Test(arguments: [true, false])
  func `a change of a column notifies observers of a generated column that uses the column`(
    observesRows: Bool
  ) throws {
    let database = try library(observesRows: observesRows)
    try database.write { db in
      try db.execute(
        "CREATE TABLE card(id INTEGER PRIMARY KEY, name TEXT, upper TEXT AS (upper(name)), day TEXT)"
      )
      try db.execute("INSERT INTO card(name) VALUES ('Ada')")
    }
    let commits = CommitCollector()
    let registration = try database.observe(.table("card", columns: ["upper"])) {
      commits.append($0)
    }
    try database.write { db in try db.execute("UPDATE card SET name = 'Grace'") }

    #expect(commits.drain().count == 1)
    withExtendedLifetime(registration) {}
  }

  @Test func `a change of only the rowid is reported to observers`() throws {
    let database = try library()
    try database.write { db in try db.execute("INSERT INTO note VALUES ('lent')") }
    let commits = CommitCollector()
    let registration = try database.observe(.table("note", columns: ["rowid"])) {
      commits.append($0)
    }
    try database.write { db in try db.execute("UPDATE note SET rowid = rowid + 100") }

    #expect(commits.drain().count == 1)
    withExtendedLifetime(registration) {}
  }

  /// Owns another registration and releases it when it is deinitialised.
  private final class Screen: Sendable {
    let registration = Mutex<Registration?>(nil)
  }

  @Test(arguments: ["loans.2026", "\u{301}loan", "main.loan"])
  func `observers receive changed rows of a table whose name has a period or a combining mark`(
    name: String
  )
    throws
  {
    let database = try library()
    try database.write { db in
      try db.execute("CREATE TABLE \(identifier: name) (id INTEGER PRIMARY KEY, book INTEGER)")
    }
    let commits = CommitCollector()
    let registration = try database.observe(.table(name), detail: .rows) { commits.append($0) }
    try database.write { db in
      try db.execute("INSERT INTO \(identifier: name) VALUES (7, 1)")
      try db.execute("UPDATE \(identifier: name) SET book = 2")
    }
    let rows = commits.drainRows()

    #expect(rows?.map(\.rowID) == [7, 7])
    #expect(rows?.last?.columns == ["book"])
    withExtendedLifetime(registration) {}
  }

  @Test
  func `cancelling an observer that retains another observer's registration does not deadlock`()
    throws
  {
    let database = try library()
    for _ in 0..<2 {
      let screen = Screen()
      let commits = CommitCollector()
      screen.registration.withLock { registration in
        registration = try? database.observe(.table("book")) { commits.append($0) }
      }
      var outer: Registration? = try database.observe(.table("book")) { [screen] _ in
        withExtendedLifetime(screen) {}
      }
      try database.write { db in try db.execute("DELETE FROM book") }
      outer?.cancel()
      outer = nil
      try database.write { db in try db.execute("INSERT INTO book(title) VALUES ('Dune')") }
      #expect(commits.drain().count >= 1)
    }
  }

  @Test
  func `a write of a key-value entry notifies the observers and interceptors of the entry's table`()
    throws
  {
    let database = try library(observesRows: false)
    let backend = SQLiteBackend(database)
    try backend.apply([.set("theme", Data([1]))])
    let commits = CommitCollector()
    let watching = try database.observe(.table("undercroft_entry")) { commits.append($0) }
    try backend.apply([.set("theme", Data([2]))])
    #expect(commits.drainTables() == [["undercroft_entry"]])

    let vetoing = database.intercept(TableInterceptor(before: { _ in throw Refusal() }))
    let error = #expect(throws: StorageError.self) { try backend.apply([.set("theme", Data([3]))]) }
    #expect(error?.code == .vetoed)
    #expect(try backend.read("theme") == Data([2]))
    withExtendedLifetime((watching, vetoing)) {}
  }

  @Test func `validating a statement calls no observer and no interceptor`() throws {
    let database = try library()
    let commits = CommitCollector()
    let watching = try database.observe(.everything) { commits.append($0) }
    let vetoing = database.intercept(TableInterceptor(before: { _ in throw Refusal() }))
    try database.write { db in try db.validate("DROP TABLE book") }
    try database.read { db in try db.validate("DELETE FROM book") }

    #expect(commits.drain().isEmpty)
    withExtendedLifetime((watching, vetoing)) {}
  }

  @Test func `a statement in use during a schema change is recompiled before the next use`() throws
  {
    let database = try library()
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
    let database = try library()
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
    let database = try library(observesRows: observesRows)
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

  @Test func `a row written by a trigger before RAISE(FAIL) is reported to observers`() throws {
    let database = try library()
    try database.write { db in
      try db.execute(
        """
        CREATE TRIGGER auditing BEFORE INSERT ON book BEGIN
          INSERT INTO note VALUES (new.title); SELECT RAISE(FAIL, 'closed');
        END
        """)
    }
    let commits = CommitCollector()
    let registration = try database.observe(.table("note")) { commits.append($0) }
    try database.write { db in _ = try? db.execute("INSERT INTO book VALUES (3, 'Ulysses', 1)") }

    #expect(
      try database.read { db in try db.fetchValue("SELECT count(*) FROM note", as: Int.self) } == 1)
    #expect(commits.drain().count == 1)
    withExtendedLifetime(registration) {}
  }

  @Test func `observers receive rowids after a WITHOUT ROWID table is recreated with rowids`()
    throws
  {
    let database = try library()
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

  @Test(arguments: [true, false])
  func `observers distinguish table and column names that differ only in Unicode normalisation`(
    observesRows: Bool
  ) throws {
    // "é" as one scalar and as two: equal for `String`, different for SQLite.
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    var options = DatabaseOptions()
    options.observesRows = observesRows
    let database = try Database.inMemory(options)
    try database.write { db in
      for name in [composed, decomposed] {
        try db.execute(
          """
          CREATE TABLE \(identifier: name)(
            id INTEGER PRIMARY KEY, \(identifier: composed), \(identifier: decomposed))
          """)
        try db.execute("INSERT INTO \(identifier: name) VALUES (1, 1, 1)")
      }
    }
    let (table, column) = (CommitCollector(), CommitCollector())
    let registrations = [
      try database.observe(.table(decomposed)) { table.append($0) },
      try database.observe(.table(composed, columns: [decomposed])) { column.append($0) },
    ]

    try database.write { db in
      try db.execute("UPDATE \(identifier: composed) SET \(identifier: composed) = 2")
    }
    #expect(table.drainTables() == [])
    #expect(column.drainTables() == [])
    try database.write { db in
      try db.execute("UPDATE \(identifier: composed) SET \(identifier: decomposed) = 2")
      try db.execute("UPDATE \(identifier: decomposed) SET id = 2")
    }

    let bytes = { (commits: CommitCollector) in
      commits.drainTables().map { $0.map { Array($0.utf8) } }
    }
    #expect(bytes(table) == [[Array(decomposed.utf8)]])
    #expect(bytes(column) == [[Array(composed.utf8)]])
    withExtendedLifetime(registrations) {}
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
