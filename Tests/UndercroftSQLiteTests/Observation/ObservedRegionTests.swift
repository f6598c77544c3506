import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Observers of different regions in one process.
@Suite struct ObservedRegionTests {
  private func library(observesRows: Bool = true) throws -> Database {
    var options = DatabaseOptions()
    options.observesRows = observesRows
    let database = try Database.inMemory(options)
    try database.write { db in
      try db.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, shelf INTEGER)")
      try db.execute(
        "CREATE TABLE loan(book INTEGER REFERENCES book(id) ON DELETE CASCADE, day TEXT)")
      try db.execute("CREATE VIRTUAL TABLE page USING fts5(text)")
      try db.execute(
        """
        CREATE TRIGGER indexing AFTER INSERT ON book BEGIN
          INSERT INTO page(rowid, text) VALUES (new.id, new.title);
        END
        """)
      try db.execute("INSERT INTO book VALUES (1, 'Dune', 1), (2, 'Emma', 2)")
      try db.execute("INSERT INTO loan VALUES (1, 'Monday')")
    }
    return database
  }

  @Test(arguments: [true, false])
  func `an observer receives changes of its own tables only, even beside an observer of all tables`(
    observesRows: Bool
  ) throws {
    let database = try library(observesRows: observesRows)
    let everything = CommitCollector()
    let loans = CommitCollector()
    let books = CommitCollector()
    let registrations = [
      try database.observe(.everything, detail: .rows) { everything.append($0) },
      try database.observe(.tables(["loan", "reader"])) { loans.append($0) },
      try database.observe(.table("book")) { books.append($0) },
    ]

    try database.write { db in
      try db.execute("INSERT INTO book VALUES (3, 'Ulysses', 1)")
      try db.execute("INSERT INTO loan VALUES (3, 'Tuesday')")
    }
    try database.execute("UPDATE book SET shelf = 7 WHERE id = 3")

    #expect(books.drainTables() == [["book"], ["book"]])
    #expect(loans.drainTables() == [["loan"]])
    #expect(everything.drainTables().map(Set.init) == [["book", "page", "loan"], ["book"]])
    withExtendedLifetime(registrations) {}
  }

  @Test func `an observer is not notified of a table that only another observed query reads`()
    async throws
  {
    let database = try library()
    let books = CommitCollector()
    let registration = try database.observe(.table("book")) { books.append($0) }
    var counts = database.values { db in
      try db.fetchValue("SELECT count(*) FROM page WHERE page MATCH 'dune'", as: Int.self)
    }.makeAsyncIterator()
    #expect(try await counts.next() == 1)

    try database.execute("INSERT INTO book VALUES (3, 'Dune Messiah', 1)")

    #expect(books.drainTables() == [["book"]])
    #expect(try await counts.next() == 2)
    withExtendedLifetime(registration) {}
  }

  @Test func `an observer of certain rows receives only changes of these rows`() throws {
    let database = try library()
    let all = CommitCollector()
    let second = CommitCollector()
    let registrations = [
      try database.observe(.table("book"), detail: .rows) { all.append($0) },
      try database.observe(.table("book", rows: [2]), detail: .rows) { second.append($0) },
    ]

    try database.write { db in
      try db.execute("DELETE FROM book WHERE id = 1")
      try db.execute("UPDATE book SET shelf = 9 WHERE id = 2")
      try db.execute("INSERT INTO book VALUES (3, 'Ulysses', 1)")
    }

    let change = second.drain().first?.tables?.first
    #expect(change?.rows?.map(\.rowID) == [2])
    #expect(change?.operations == [.update])
    #expect(change?.columns == ["shelf"])
    #expect(all.drainRows()?.map(\.rowID) == [1, 2, 3])
    withExtendedLifetime(registrations) {}
  }

  @Test func `an observer of columns receives only the rows that changed in these columns`() throws
  {
    let database = try library()
    let titles = CommitCollector()
    let registration = try database.observe(.table("book", columns: ["title"]), detail: .rows) {
      titles.append($0)
    }

    try database.write { db in
      try db.execute("UPDATE book SET shelf = 9 WHERE id = 1")
      try db.execute("UPDATE book SET title = 'Sense', shelf = 4 WHERE id = 2")
    }

    let change = titles.drain().first?.tables?.first
    #expect(change?.rows?.map(\.rowID) == [2])
    #expect(change?.columns == ["title", "shelf"])
    withExtendedLifetime(registration) {}
  }

  @Test
  func `an observer that requests no rows receives no rows even if another observer requests rows`()
    throws
  {
    let database = try library()
    let tables = CommitCollector()
    let registrations = [
      try database.observe(.table("book"), detail: .rows) { _ in },
      try database.observe(.table("book")) { tables.append($0) },
    ]

    try database.execute("UPDATE book SET shelf = 9 WHERE id = 1")

    let change = tables.drain().first?.tables?.first
    #expect(change?.columns == ["shelf"])
    #expect(change?.rows == nil)
    withExtendedLifetime(registrations) {}
  }

  @Test func `an observer of all tables receives no changes of shadow tables`() throws {
    let database = try library()
    let commits = CommitCollector()
    let registration = try database.observe(.everything, detail: .rows) { commits.append($0) }

    try database.execute("INSERT INTO page(text) VALUES ('a dark night')")
    try database.execute("INSERT INTO page(page) VALUES ('optimize')")
    #expect(commits.drainTables() == [["page"], ["page"]])

    try database.execute("CREATE VIRTUAL TABLE leaf USING fts5(text)")
    try database.write { db in
      try db.execute("INSERT INTO leaf VALUES ('green')")
      try db.execute("DROP TABLE leaf")
    }
    #expect(commits.drainTables() == [["leaf"], ["leaf"]])
    withExtendedLifetime(registration) {}
  }

  @Test func `an observer that names a shadow table receives the changes of that table`() throws {
    let database = try library()
    let named = CommitCollector()
    let everything = CommitCollector()
    let registrations = [
      try database.observe(.table("page_content")) { named.append($0) },
      try database.observe(.everything) { everything.append($0) },
    ]

    try database.execute("INSERT INTO page(text) VALUES ('a dark night')")

    #expect(named.drainTables() == [["page_content"]])
    #expect(everything.drainTables() == [["page"]])
    withExtendedLifetime(registrations) {}
  }

  @Test
  func `an observer of a table receives the rowids of rows that a foreign key cascade deletes`()
    throws
  {
    let database = try library()
    let loans = CommitCollector()
    let registrations = [
      try database.observe(.everything) { _ in },
      try database.observe(.table("loan"), detail: .rows) { loans.append($0) },
    ]

    try database.execute("DELETE FROM book WHERE id = 1")

    #expect(loans.drainRows()?.map(\.rowID) == [1])
    withExtendedLifetime(registrations) {}
  }

  @Test func `an observer of one row is notified of every commit of another connection`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try database.execute("CREATE TABLE book(title TEXT)")
      let other = try Database(at: url)
      let promise = Promise<CommittedChanges>()
      let registration = try database.observe(.table("loan", rows: [1]), detail: .rows) {
        promise.fulfill($0)
      }

      try other.execute("INSERT INTO book VALUES ('Dune')")

      let changes = try #require(promise.wait())
      #expect(changes.origin == .external)
      #expect(changes.tables == nil)
      withExtendedLifetime(registration) {}
    }
  }
}
