import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct ObservationTests {
  private struct Refusal: Error {}

  private func library(_ options: DatabaseOptions = .init()) throws -> Database {
    let database = try Database.inMemory(options)
    try database.write { db in
      try db.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT UNIQUE, shelf INTEGER)")
      try db.execute("CREATE TABLE reader(name TEXT PRIMARY KEY, age INTEGER) WITHOUT ROWID")
      try db.execute(
        "CREATE TABLE loan(book INTEGER REFERENCES book(id) ON DELETE CASCADE, day TEXT)")
      try db.execute("INSERT INTO book VALUES (1, 'Dune', 1), (2, 'Emma', 2)")
    }
    return database
  }

  private static let withoutHook: DatabaseOptions = {
    var options = DatabaseOptions()
    options.observesRows = false
    return options
  }()

  @Test(arguments: [true, false])
  func `an observer is called once per commit, after the commit is visible to readers`(
    observesRows: Bool
  ) throws {
    let database = try library(observesRows ? .init() : Self.withoutHook)
    let commits = CommitCollector()
    let counts = Mutex<[Int?]>([])
    let registration = try database.observe(.table("BOOK")) { changes in
      commits.append(changes)
      let count = try? database.read { db in
        try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] as Int }
      }
      counts.withLock { $0.append(count) }
    }
    try database.write { db in
      try db.execute("INSERT INTO book(title) VALUES ('Ulysses'), ('Persuasion')")
      try db.execute("INSERT INTO reader VALUES ('Ada', 36)")
      #expect(commits.drainTables() == [])
    }
    #expect(commits.drainTables() == [["book"]])
    #expect(counts.withLock { $0 } == [4])

    // These change no observed table, or nothing at all.
    try database.write { db in try db.execute("DELETE FROM reader") }
    try database.write { db in try db.execute("DELETE FROM book WHERE id = 99") }
    try database.write { db in _ = try db.fetchAll("SELECT * FROM book") { _ in } }
    if observesRows { #expect(commits.drainTables() == []) }
    registration.cancel()
    try database.write { db in try db.execute("DELETE FROM book") }
    #expect(commits.drain().allSatisfy { $0.tables?.first?.operations == [.delete] })
  }

  @Test func `changes that were rolled back are not reported to observers`() throws {
    let database = try library()
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
    let database = try library()
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
    let database = try library()
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
    let database = try library()
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
    let database = try library()
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
    let database = try library(observesRows ? .init() : Self.withoutHook)
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
    let database = try library()
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
    let database = try library()
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
    let database = try library(Self.withoutHook)
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
    let database = try library()
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

  @Test func `an observer can read and write, and is called again after its own writes commit`()
    throws
  {
    let database = try library()
    let commits = CommitCollector()
    let registration = try database.observe(.table("book"), detail: .rows) { changes in
      commits.append(changes)
      let shelf = try? database.read { db in
        try db.fetchOne("SELECT max(shelf) FROM book") { row in try row[0] as Int }
      }
      guard let shelf, shelf < 10 else { return }
      _ = try? database.execute("UPDATE book SET shelf = \(shelf + 1)")
    }
    try database.write { db in try db.execute("UPDATE book SET shelf = 5") }
    var count = 0
    let deadline = ContinuousClock.now + .hangLimit
    while count < 6, ContinuousClock.now < deadline { count += commits.drain().count }

    #expect(count == 6)
    withExtendedLifetime(registration) {}
  }

  @Test
  func `an observer added during a write is notified of the commit, but not of the changed tables`()
    throws
  {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      let commits = CommitCollector()
      let registration = try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        return try inBackground { try database.observe(.table("book")) { commits.append($0) } }
          .wait()?.get()
      }

      #expect(commits.waitForTables(["?"]))
      withExtendedLifetime(registration) {}
    }
  }

  @Test func `commits of several threads are reported to observers once each, in commit order`()
    throws
  {
    try withTemporaryDirectory { directory in
      let database = try Database(
        at: directory.appending(path: "library.sqlite"), .init(lockTimeout: .hangLimit))
      try database.write { db in
        try db.execute("CREATE TABLE loan(number INTEGER PRIMARY KEY)")
      }
      let commits = CommitCollector()
      let registration = try database.observe(.table("loan"), detail: .rows) { commits.append($0) }
      let writers = (0..<4).map { _ in
        let done = Promise<Bool>()
        Thread {
          for _ in 0..<100 {
            _ = try? database.execute("INSERT INTO loan DEFAULT VALUES")
          }
          done.fulfill(true)
        }.start()
        return done
      }
      for writer in writers { #expect(writer.wait() == true) }
      // Another thread may still be delivering the last changes.
      var ids: [Int64] = []
      let deadline = ContinuousClock.now + .hangLimit
      while ids.count < 400, ContinuousClock.now < deadline {
        ids += commits.drain().flatMap { $0.tables ?? [] }.flatMap { $0.rows ?? [] }
          .compactMap(\.rowID)
      }
      #expect(ids == Array(1...400))
      withExtendedLifetime(registration) {}
    }
  }

  @Test func `commits of another connection are reported to observers with an external origin`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      let other = try Database(at: url)
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      let promise = Promise<CommittedChanges>()
      let registration = try database.observe(.table("book")) { promise.fulfill($0) }
      try other.write { db in try db.execute("INSERT INTO book VALUES ('Dune')") }
      let changes = try #require(promise.wait())

      #expect(changes.origin == .external)
      #expect(changes.tables == nil)
      withExtendedLifetime(registration) {}
    }
  }

  @Test func `an observer receives a change of a full-text table under the name of that table`()
    throws
  {
    let database = try library()
    try database.write { db in try db.execute("CREATE VIRTUAL TABLE page USING fts5(text)") }
    let commits = CommitCollector()
    let registration = try database.observe(.table("page")) { commits.append($0) }
    try database.write { db in
      try db.execute("INSERT INTO page VALUES ('it was a dark night')")
    }

    #expect(commits.drainTables() == [["page"]])
    withExtendedLifetime(registration) {}
  }

  @Test func `changes by a trigger that another connection created notify observers`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      var options = DatabaseOptions()
      options.observesRows = false
      let database = try Database(at: url, options)
      let other = try Database(at: url)
      try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        try db.execute("CREATE TABLE note(text TEXT)")
      }
      let commits = CommitCollector()
      let registration = try database.observe(.table("note")) { commits.append($0) }
      let insert: () throws -> Void = {
        try database.execute("INSERT INTO book VALUES ('Dune')")
      }
      try insert()
      #expect(commits.drain().allSatisfy { $0.origin == .external })

      try other.write { db in
        try db.execute(
          "CREATE TRIGGER noting AFTER INSERT ON book BEGIN INSERT INTO note VALUES (new.title); END"
        )
      }
      try insert()
      #expect(commits.waitForTables(["note"]))
      withExtendedLifetime(registration) {}
    }
  }
}
