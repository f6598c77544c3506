import Foundation
import Synchronization
import Testing
import UndercroftCore
import UndercroftSQLite

/// Records the commits that an observer received.
final class Told: Sendable {
  private let changes = Mutex<[CommittedChanges]>([])

  func add(_ change: CommittedChanges) { changes.withLock { $0.append(change) } }

  /// Returns the commits received since the last call.
  func take() -> [CommittedChanges] {
    changes.withLock { changes in
      defer { changes = [] }
      return changes
    }
  }

  /// Returns the changed tables of each commit, or `?` if they are unknown.
  func tables() -> [[String]] {
    take().map { $0.tables?.map(\.table) ?? ["?"] }
  }

  /// Waits some minutes for a commit of these tables, because another thread may deliver it.
  func waitForTables(_ tables: [String]) -> Bool {
    let deadline = ContinuousClock.now + .seconds(600)
    while ContinuousClock.now < deadline {
      if self.tables().contains(tables) { return true }
      Thread.sleep(forTimeInterval: 0.001)
    }
    return false
  }

  /// Returns the rows of the first table of the last commit.
  func rows() -> [RowChange]? { take().last?.tables?.first?.rows }
}

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
    let told = Told()
    let counts = Mutex<[Int?]>([])
    let registration = try database.observe(.table("BOOK")) { changes in
      told.add(changes)
      let count = try? database.read { db in
        try db.first("SELECT count(*) FROM book") { row in try row[0] as Int }
      }
      counts.withLock { $0.append(count) }
    }
    try database.write { db in
      try db.execute("INSERT INTO book(title) VALUES ('Ulysses'), ('Persuasion')")
      try db.execute("INSERT INTO reader VALUES ('Ada', 36)")
      #expect(told.tables() == [])
    }
    #expect(told.tables() == [["book"]])
    #expect(counts.withLock { $0 } == [4])

    // These change no observed table, or nothing at all.
    try database.write { db in try db.execute("DELETE FROM reader") }
    try database.write { db in try db.execute("DELETE FROM book WHERE id = 99") }
    try database.write { db in _ = try db.query("SELECT * FROM book") { _ in } }
    if observesRows { #expect(told.tables() == []) }
    registration.cancel()
    try database.write { db in try db.execute("DELETE FROM book") }
    #expect(told.take().allSatisfy { $0.tables?.first?.operations == [.delete] })
  }

  @Test func `changes that were rolled back are not reported`() throws {
    let database = try library()
    let told = Told()
    let registration = try database.observe(.everything, detail: .rows) { told.add($0) }
    #expect(throws: Refusal.self) {
      try database.write { db in
        try db.execute("DELETE FROM book")
        throw Refusal()
      }
    }
    #expect(told.tables() == [])

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
    let changes = told.take()
    #expect(changes.count == 1)
    #expect(changes.first?.tables?.map(\.table) == ["reader", "book"])

    let book = changes.first?.tables?.last
    #expect(book?.operations == [.update])
    #expect(book?.columns == ["shelf"])
    #expect(book?.rows?.map(\.rowID) == [2])
    withExtendedLifetime(registration) {}
  }

  @Test func `a failed statement does not discard the changes of earlier statements`() throws {
    let database = try library()
    let told = Told()
    let registration = try database.observe(.everything, detail: .rows) { told.add($0) }
    try database.write { db in
      try db.prepare("INSERT INTO book VALUES (?, ?, 1)") { insert in
        for (id, title) in [(3, "Ulysses"), (4, "Dune"), (5, "Persuasion")] {
          try insert.bind(id, at: 1)
          try insert.bind(title, at: 2)
          try? insert.run()
        }
      }
    }
    #expect(told.rows()?.map(\.rowID) == [3, 5])
    withExtendedLifetime(registration) {}
  }

  @Test func `an observer receives each changed row with its operation, in order`() throws {
    let database = try library()
    let told = Told()
    let registration = try database.observe(.table("book"), detail: .rows) { told.add($0) }
    try database.write(from: Database.Origin("import")) { db in
      try db.execute("INSERT INTO book VALUES (3, 'Ulysses', 1)")
      try db.execute("UPDATE book SET shelf = shelf + 1, title = title WHERE id = 1")
      try db.execute("UPDATE book SET id = 20 WHERE id = 2")
      try db.execute("DELETE FROM book WHERE id = 3")
    }
    let changes = told.take()
    #expect(changes.first?.origin == Database.Origin("import"))
    let rows = try #require(changes.first?.tables?.first?.rows)
    #expect(rows.map(\.operation) == [.insert, .update, .update, .delete])
    #expect(rows.map(\.rowID) == [3, 1, 20, 3])
    #expect(rows.map(\.previousRowID) == [nil, nil, 2, nil])
    #expect(rows.map(\.columns)[1...2] == [["shelf"], ["id", "title", "shelf"]])
    withExtendedLifetime(registration) {}
  }

  @Test func `an update of a primary key is reported with the new and the previous key`() throws {
    let database = try library()
    try database.write { db in
      try db.execute(
        "CREATE TABLE place(note TEXT, shelf INTEGER, room TEXT, PRIMARY KEY (room, shelf)) WITHOUT ROWID"
      )
      try db.execute("INSERT INTO place VALUES ('dusty', 7, 'attic')")
    }
    let told = Told()
    let registration = try database.observe(.table("place"), detail: .rows) { told.add($0) }
    try database.write { db in
      try db.execute("UPDATE place SET note = 'clean'")
      try db.execute("UPDATE place SET shelf = 8")
      try db.execute("DELETE FROM place")
    }
    let rows = try #require(told.rows())
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

  @Test func `rows that REPLACE and a cascading foreign key delete are reported`() throws {
    let database = try library()
    try database.write { db in try db.execute("INSERT INTO loan VALUES (1, 'Monday')") }
    let told = Told()
    let registration = try database.observe(.everything, detail: .rows) { told.add($0) }
    try database.write { db in try db.execute("REPLACE INTO book VALUES (9, 'Dune', 3)") }
    let tables = try #require(told.take().first?.tables)
    #expect(Set(tables.map(\.table)) == ["book", "loan"])
    let book = try #require(tables.first { $0.table == "book" }?.rows)
    #expect(book.map(\.operation) == [.delete, .insert])
    #expect(book.map(\.rowID) == [1, 9])
    withExtendedLifetime(registration) {}
  }

  @Test(arguments: [true, false])
  func `deleting all rows, dropping and creating a table are reported`(observesRows: Bool) throws {
    let database = try library(observesRows ? .init() : Self.withoutHook)
    let told = Told()
    let registration = try database.observe(.table("book"), detail: .rows) { told.add($0) }
    try database.write { db in try db.execute("DELETE FROM book") }
    let emptied = told.take().first?.tables?.first
    #expect(emptied?.operations == [.delete])
    #expect(emptied?.rows?.map(\.rowID) == (observesRows ? [1, 2] : nil))

    try database.write { db in try db.execute("DROP TABLE book") }
    #expect(told.take().first?.tables?.first?.operations.contains(.drop) == true)

    try database.write { db in try db.execute("CREATE TABLE Book(title TEXT)") }
    #expect(told.take().first?.tables?.first?.operations == [.create])

    try database.write { db in try db.execute("INSERT INTO book VALUES ('Emma')") }
    #expect(told.tables() == [["Book"]])
    withExtendedLifetime(registration) {}
  }

  @Test func `a row of a WITHOUT ROWID table is reported by its primary key`() throws {
    let database = try library()
    let told = Told()
    let registration = try database.observe(.table("reader"), detail: .rows) { told.add($0) }
    try database.write { db in
      try db.execute("INSERT INTO reader VALUES ('Ada', 36)")
      try db.execute("UPDATE reader SET age = 37 WHERE name = 'Ada'")
      try db.execute("DELETE FROM reader")
    }
    let rows = try #require(told.rows())
    #expect(rows.map(\.key) == [[.text("Ada")], [.text("Ada")], [.text("Ada")]])
    #expect(rows.map(\.rowID) == [nil, nil, nil])
    #expect(rows.map(\.operation) == [.insert, .update, .delete])
    #expect(rows[1].columns == ["age"])
    withExtendedLifetime(registration) {}
  }

  @Test func `an observer of columns or rows is called only for changes of those`() throws {
    let database = try library()
    let titles = Told()
    let second = Told()
    let registrations = [
      try database.observe(.table("book", columns: ["Title"])) { titles.add($0) },
      try database.observe(.table("book", rows: [2])) { second.add($0) },
    ]
    try database.write { db in try db.execute("UPDATE book SET shelf = 5 WHERE id = 1") }
    #expect(titles.take().isEmpty)
    #expect(second.take().isEmpty)

    try database.write { db in try db.execute("UPDATE book SET title = 'Sense' WHERE id = 2") }
    #expect(titles.take().count == 1)
    #expect(second.take().count == 1)

    try database.write { db in try db.execute("INSERT INTO book VALUES (3, 'Ulysses', 1)") }
    #expect(titles.take().count == 1)
    #expect(second.take().isEmpty)

    try database.write { db in try db.execute("UPDATE book SET id = 4 WHERE id = 2") }
    #expect(second.take().count == 1)
    withExtendedLifetime(registrations) {}
  }

  @Test func `without row observation, tables and columns are reported, but not rows`() throws {
    let database = try library(Self.withoutHook)
    let told = Told()
    let registration = try database.observe(.everything, detail: .rows) { told.add($0) }
    try database.write { db in try db.execute("UPDATE book SET shelf = 5 WHERE id = 1") }
    let change = told.take().first?.tables?.first
    #expect(change?.table == "book")
    #expect(change?.columns == ["shelf"])
    #expect(change?.rows == nil)
    try database.write { db in try db.execute("REPLACE INTO reader VALUES ('Ada', 36)") }
    #expect(told.tables() == [["reader"]])
    withExtendedLifetime(registration) {}
  }

  @Test func `a transaction of very many changed rows reports the table without rows`() throws {
    let database = try library()
    let told = Told()
    let registration = try database.observe(.table("book"), detail: .rows) { told.add($0) }
    try database.write { db in
      try db.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO book(id, title) SELECT i, 'Volume ' || i FROM n
        """)
    }
    let change = told.take().first?.tables?.first
    #expect(change?.operations == [.insert])
    #expect(change?.rows?.count == nil)
    withExtendedLifetime(registration) {}
  }

  @Test func `an observer may read and write, and receives its own writes later`() throws {
    let database = try library()
    let told = Told()
    let registration = try database.observe(.table("book"), detail: .rows) { changes in
      told.add(changes)
      let shelf = try? database.read { db in
        try db.first("SELECT max(shelf) FROM book") { row in try row[0] as Int }
      }
      guard let shelf, shelf < 10 else { return }
      _ = try? database.execute("UPDATE book SET shelf = \(shelf + 1)")
    }
    try database.write { db in try db.execute("UPDATE book SET shelf = 5") }
    var count = 0
    let deadline = ContinuousClock.now + .seconds(600)
    while count < 6, ContinuousClock.now < deadline { count += told.take().count }
    #expect(count == 6)
    withExtendedLifetime(registration) {}
  }

  @Test func `an observer added during a write receives a change of unknown tables`() throws {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      let told = Told()
      let registration = try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        return try Self.elsewhere { try database.observe(.table("book")) { told.add($0) } }
      }
      #expect(told.waitForTables(["?"]))
      withExtendedLifetime(registration) {}
    }
  }

  /// Runs `body` on another thread.
  private static func elsewhere<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) throws -> Result {
    let mailbox = Mailbox<Result>()
    Thread { mailbox.put(try? body()) }.start()
    return try #require(mailbox.take())
  }

  @Test func `commits of several threads are reported once each, in commit order`() throws {
    try withTemporaryDirectory { directory in
      let database = try Database(
        at: directory.appending(path: "library.sqlite"), .init(lockTimeout: .seconds(600)))
      try database.write { db in
        try db.execute("CREATE TABLE loan(number INTEGER PRIMARY KEY)")
      }
      let told = Told()
      let registration = try database.observe(.table("loan"), detail: .rows) { told.add($0) }
      let writers = (0..<4).map { _ in
        let done = Mailbox<Bool>()
        Thread {
          for _ in 0..<100 {
            _ = try? database.execute("INSERT INTO loan DEFAULT VALUES")
          }
          done.put(true)
        }.start()
        return done
      }
      for writer in writers { #expect(writer.take() == true) }
      // Another thread may still be delivering the last changes.
      var ids: [Int64] = []
      let deadline = ContinuousClock.now + .seconds(600)
      while ids.count < 400, ContinuousClock.now < deadline {
        ids += told.take().flatMap { $0.tables ?? [] }.flatMap { $0.rows ?? [] }
          .compactMap(\.rowID)
      }
      #expect(ids == Array(1...400))
      withExtendedLifetime(registration) {}
    }
  }

  @Test func `commits of another connection are reported with the origin outside`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      let other = try Database(at: url)
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      let mailbox = Mailbox<CommittedChanges>()
      let registration = try database.observe(.table("book")) { mailbox.put($0) }
      try other.write { db in try db.execute("INSERT INTO book VALUES ('Dune')") }
      let changes = try #require(mailbox.take())
      #expect(changes.origin == .outside)
      #expect(changes.tables == nil)
      withExtendedLifetime(registration) {}
    }
  }

  @Test func `a change of a full-text table is reported under the name of the table`() throws {
    let database = try library()
    try database.write { db in try db.execute("CREATE VIRTUAL TABLE page USING fts5(text)") }
    let told = Told()
    let registration = try database.observe(.table("page")) { told.add($0) }
    try database.write { db in
      try db.execute("INSERT INTO page VALUES ('it was a dark night')")
    }
    #expect(told.tables() == [["page"]])
    withExtendedLifetime(registration) {}
  }

  @Test func `changes by a trigger that another connection created are reported`() throws {
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
      let told = Told()
      let registration = try database.observe(.table("note")) { told.add($0) }
      let insert: () throws -> Void = {
        try database.execute("INSERT INTO book VALUES ('Dune')")
      }
      try insert()
      #expect(told.take().allSatisfy { $0.origin == .outside })

      try other.write { db in
        try db.execute(
          "CREATE TRIGGER noting AFTER INSERT ON book BEGIN INSERT INTO note VALUES (new.title); END"
        )
      }
      try insert()
      #expect(told.waitForTables(["note"]))
      withExtendedLifetime(registration) {}
    }
  }
}
