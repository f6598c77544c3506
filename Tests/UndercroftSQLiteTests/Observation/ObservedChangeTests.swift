import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of the tables, columns and rows that observers of a database receive.
@Suite struct ObservedChangeTests {
  private struct Refusal: Error {}

  @Test func `changes that were rolled back are not reported to observers`() throws {
    let database = try ObservedLibrary.withLoans()
    let commits = CommitCollector()
    let registration = try database.observe(.everything, detail: .rows) { commits.append($0) }
    #expect(throws: Refusal.self) {
      try database.write { db in
        try db.execute("DELETE FROM book")
        throw Refusal()
      }
    }
    #expect(commits.drainTables() == [])

    try database.write { db in
      try db.execute("INSERT INTO reader VALUES ('Ada', 36)")
      // A nested transaction that is rolled back, one that is released, and a statement that fails.
      try? db.transaction { db in
        try db.execute("UPDATE book SET title = 'Undone'")
        throw Refusal()
      }
      try db.transaction { db in try db.execute("UPDATE book SET shelf = 7 WHERE id = 2") }
      _ = try? db.execute("INSERT INTO book VALUES (3, 'Ulysses', 1), (4, 'Dune', 1)")
    }
    let changes = commits.drain()
    #expect(changes.count == 1)
    #expect(changes.first?.tables?.map(\.table) == ["reader", "book"])

    let book = changes.first?.tables?.last
    #expect(book?.operations == [.update])
    #expect(book?.columns == ["shelf"])
    #expect(book?.rows?.map(\.rowID) == [2])
    withExtendedLifetime(registration) {}
  }

  @Test
  func `observers receive the changes of all statements of a write except the failed statement`()
    throws
  {
    let database = try ObservedLibrary.withLoans()
    let commits = CommitCollector()
    let registration = try database.observe(.everything, detail: .rows) { commits.append($0) }
    try database.write { db in
      try db.prepare("INSERT INTO book VALUES (?, ?, 1)") { insert in
        for (id, title) in [(3, "Ulysses"), (4, "Dune"), (5, "Persuasion")] {
          try insert.bind(id, at: 1)
          try insert.bind(title, at: 2)
          try? insert.run()
        }
      }
    }

    #expect(commits.drainRows()?.map(\.rowID) == [3, 5])
    withExtendedLifetime(registration) {}
  }

  @Test
  func `an observer receives each changed row with its operation, in the order of the changes`()
    throws
  {
    let database = try ObservedLibrary.withLoans()
    let commits = CommitCollector()
    let registration = try database.observe(.table("book"), detail: .rows) { commits.append($0) }
    try database.write(from: Database.Origin("import")) { db in
      try db.execute("INSERT INTO book VALUES (3, 'Ulysses', 1)")
      try db.execute("UPDATE book SET shelf = shelf + 1, title = title WHERE id = 1")
      try db.execute("UPDATE book SET id = 20 WHERE id = 2")
      try db.execute("DELETE FROM book WHERE id = 3")
    }
    let changes = commits.drain()
    #expect(changes.first?.origin == Database.Origin("import"))
    let rows = try #require(changes.first?.tables?.first?.rows)
    #expect(rows.map(\.operation) == [.insert, .update, .update, .delete])
    #expect(rows.map(\.rowID) == [3, 1, 20, 3])
    #expect(rows.map(\.previousRowID) == [nil, nil, 2, nil])
    #expect(rows.map(\.columns)[1...2] == [["shelf"], ["id", "title", "shelf"]])
    withExtendedLifetime(registration) {}
  }

  @Test
  func `an observer receives the new and the previous key of a row whose primary key changes`()
    throws
  {
    let database = try ObservedLibrary.withLoans()
    try database.write { db in
      try db.execute(
        "CREATE TABLE place(note TEXT, shelf INTEGER, room TEXT, PRIMARY KEY (room, shelf)) WITHOUT ROWID"
      )
      try db.execute("INSERT INTO place VALUES ('dusty', 7, 'attic')")
    }
    let commits = CommitCollector()
    let registration = try database.observe(.table("place"), detail: .rows) { commits.append($0) }
    try database.write { db in
      try db.execute("UPDATE place SET note = 'clean'")
      try db.execute("UPDATE place SET shelf = 8")
      try db.execute("DELETE FROM place")
    }
    let rows = try #require(commits.drainRows())

    #expect(rows.map(\.operation) == [.update, .update, .delete])
    #expect(
      rows.map(\.key) == [
        [.text("attic"), .integer(7)], [.text("attic"), .integer(8)],
        [.text("attic"), .integer(8)],
      ])
    #expect(rows.map(\.previousKey) == [nil, [.text("attic"), .integer(7)], nil])
    #expect(rows.map(\.columns)[0] == ["note"])
    withExtendedLifetime(registration) {}
  }

  @Test func `an observer is notified of tables changed by REPLACE and by a cascading foreign key`()
    throws
  {
    let database = try ObservedLibrary.withLoans()
    try database.write { db in try db.execute("INSERT INTO loan VALUES (1, 'Monday')") }
    let commits = CommitCollector()
    let registration = try database.observe(.everything, detail: .rows) { commits.append($0) }
    try database.write { db in try db.execute("REPLACE INTO book VALUES (9, 'Dune', 3)") }
    let tables = try #require(commits.drain().first?.tables)
    #expect(Set(tables.map(\.table)) == ["book", "loan"])
    let book = try #require(tables.first { $0.table == "book" }?.rows)
    #expect(book.map(\.operation) == [.delete, .insert])
    #expect(book.map(\.rowID) == [1, 9])
    withExtendedLifetime(registration) {}
  }

  @Test(arguments: [true, false])
  func `emptying, dropping and creating a table are reported to the table's observers`(
    observesRows: Bool
  ) throws {
    let database = try ObservedLibrary.withLoans(observesRows: observesRows)
    let commits = CommitCollector()
    let registration = try database.observe(.table("book"), detail: .rows) { commits.append($0) }
    try database.write { db in try db.execute("DELETE FROM book") }
    let emptied = commits.drain().first?.tables?.first
    #expect(emptied?.operations == [.delete])
    #expect(emptied?.rows?.map(\.rowID) == (observesRows ? [1, 2] : nil))

    try database.write { db in try db.execute("DROP TABLE book") }
    #expect(commits.drain().first?.tables?.first?.operations.contains(.drop) == true)

    try database.write { db in try db.execute("CREATE TABLE Book(title TEXT)") }
    #expect(commits.drain().first?.tables?.first?.operations == [.create])

    try database.write { db in try db.execute("INSERT INTO book VALUES ('Emma')") }
    #expect(commits.drainTables() == [["Book"]])
    withExtendedLifetime(registration) {}
  }

  @Test func `an observer receives a row of a WITHOUT ROWID table with the row's primary key`()
    throws
  {
    let database = try ObservedLibrary.withLoans()
    let commits = CommitCollector()
    let registration = try database.observe(.table("reader"), detail: .rows) { commits.append($0) }
    try database.write { db in
      try db.execute("INSERT INTO reader VALUES ('Ada', 36)")
      try db.execute("UPDATE reader SET age = 37 WHERE name = 'Ada'")
      try db.execute("DELETE FROM reader")
    }
    let rows = try #require(commits.drainRows())

    #expect(rows.map(\.key) == [[.text("Ada")], [.text("Ada")], [.text("Ada")]])
    #expect(rows.map(\.rowID) == [nil, nil, nil])
    #expect(rows.map(\.operation) == [.insert, .update, .delete])
    #expect(rows[1].columns == ["age"])
    withExtendedLifetime(registration) {}
  }

  @Test func `an observer of columns or rows is not called for changes of other columns or rows`()
    throws
  {
    let database = try ObservedLibrary.withLoans()
    let titles = CommitCollector()
    let second = CommitCollector()
    let registrations = [
      try database.observe(.table("book", columns: ["Title"])) { titles.append($0) },
      try database.observe(.table("book", rows: [2])) { second.append($0) },
    ]
    try database.write { db in try db.execute("UPDATE book SET shelf = 5 WHERE id = 1") }
    #expect(titles.drain().isEmpty)
    #expect(second.drain().isEmpty)

    try database.write { db in try db.execute("UPDATE book SET title = 'Sense' WHERE id = 2") }
    #expect(titles.drain().count == 1)
    #expect(second.drain().count == 1)

    try database.write { db in try db.execute("INSERT INTO book VALUES (3, 'Ulysses', 1)") }
    #expect(titles.drain().count == 1)
    #expect(second.drain().isEmpty)

    try database.write { db in try db.execute("UPDATE book SET id = 4 WHERE id = 2") }
    #expect(second.drain().count == 1)
    withExtendedLifetime(registrations) {}
  }

  @Test
  func `with row observation disabled, observers receive changed tables and columns without rows`()
    throws
  {
    let database = try ObservedLibrary.withLoans(observesRows: false)
    let commits = CommitCollector()
    let registration = try database.observe(.everything, detail: .rows) { commits.append($0) }
    try database.write { db in try db.execute("UPDATE book SET shelf = 5 WHERE id = 1") }
    let change = commits.drain().first?.tables?.first
    #expect(change?.table == "book")
    #expect(change?.columns == ["shelf"])
    #expect(change?.rows == nil)
    try database.write { db in try db.execute("REPLACE INTO reader VALUES ('Ada', 36)") }
    #expect(commits.drainTables() == [["reader"]])
    withExtendedLifetime(registration) {}
  }

  @Test
  func `a transaction with twenty thousand changed rows is reported to observers without the rows`()
    throws
  {
    let database = try ObservedLibrary.withLoans()
    let commits = CommitCollector()
    let registration = try database.observe(.table("book"), detail: .rows) { commits.append($0) }
    try database.write { db in
      try db.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO book(id, title) SELECT i, 'Volume ' || i FROM n
        """)
    }
    let change = commits.drain().first?.tables?.first

    #expect(change?.operations == [.insert])
    #expect(change?.rows?.count == nil)
    withExtendedLifetime(registration) {}
  }

  @Test func `an observer receives a change of a full-text table under the name of that table`()
    throws
  {
    let database = try ObservedLibrary.withLoans()
    try database.write { db in try db.execute("CREATE VIRTUAL TABLE page USING fts5(text)") }
    let commits = CommitCollector()
    let registration = try database.observe(.table("page")) { commits.append($0) }
    try database.write { db in
      try db.execute("INSERT INTO page VALUES ('it was a dark night')")
    }

    #expect(commits.drainTables() == [["page"]])
    withExtendedLifetime(registration) {}
  }
}
