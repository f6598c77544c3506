import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of edge cases of statements, columns and names in which changes could be reported
/// incorrectly or not be reported.
@Suite struct ObservationCornerTests {
  private struct Refusal: Error {}

  @Test func `rows written by the triggers of a failed statement are not reported to observers`()
    throws
  {
    let database = try ObservedLibrary.withNotes()
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
    let database = try ObservedLibrary.withNotes()
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
    let database = try ObservedLibrary.withNotes(observesRows: observesRows)
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

  @Test(arguments: [true, false])
  func `a change of a column notifies observers of a generated column that uses the column`(
    observesRows: Bool
  ) throws {
    let database = try ObservedLibrary.withNotes(observesRows: observesRows)
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
    let database = try ObservedLibrary.withNotes()
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
    let database = try ObservedLibrary.withNotes()
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
    let database = try ObservedLibrary.withNotes()
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
    let database = try ObservedLibrary.withNotes(observesRows: false)
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
    let database = try ObservedLibrary.withNotes()
    let commits = CommitCollector()
    let watching = try database.observe(.everything) { commits.append($0) }
    let vetoing = database.intercept(TableInterceptor(before: { _ in throw Refusal() }))
    try database.write { db in try db.validate("DROP TABLE book") }
    try database.read { db in try db.validate("DELETE FROM book") }

    #expect(commits.drain().isEmpty)
    withExtendedLifetime((watching, vetoing)) {}
  }

  @Test func `a row written by a trigger before RAISE(FAIL) is reported to observers`() throws {
    let database = try ObservedLibrary.withNotes()
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
}
