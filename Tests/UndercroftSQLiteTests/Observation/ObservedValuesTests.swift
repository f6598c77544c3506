import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite(.timeLimit(.hangLimit)) struct ObservedValuesTests {
  private func withLibrary(_ body: (URL, Database) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try database.write { db in
        try db.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, shelf INTEGER)")
        try db.execute("CREATE TABLE reader(name TEXT)")
      }
      try await body(url, database)
    }
  }

  private static let titles: @Sendable (Connection) throws -> [String] = { db in
    try db.fetchAll("SELECT title FROM book ORDER BY title") { row in try row[0] as String }
  }

  private func add(_ title: String, to database: Database) async throws {
    try await database.async.write { db in
      try db.execute("INSERT INTO book(title) VALUES (\(title))")
    }
  }

  @Test func `an observed query yields the current value first, then a value after each change`()
    async throws
  {
    try await withLibrary { _, database in
      try await add("Dune", to: database)
      var values = database.values(Self.titles).makeAsyncIterator()
      #expect(try await values.next() == ["Dune"])
      try await add("Emma", to: database)
      #expect(try await values.next() == ["Dune", "Emma"])
      try await database.async.write { db in try db.execute("DELETE FROM book") }
      #expect(try await values.next() == [])
    }
  }

  @Test
  func `a slow consumer of an observed query receives the latest value instead of every value`()
    async throws
  {
    try await withLibrary { _, database in
      var values = database.values(Self.titles).makeAsyncIterator()
      #expect(try await values.next() == [])
      for number in 100..<200 { try await add("Volume \(number)", to: database) }
      #expect(try await values.next()?.count == 100)
    }
  }

  @Test func `an observed query runs again only for changes of columns that the query reads`()
    async throws
  {
    try await withLibrary { _, database in
      try await add("Dune", to: database)
      let runs = Mutex(0)
      var values = database.values { db in
        runs.withLock { $0 += 1 }
        return try Self.titles(db)
      }.makeAsyncIterator()
      #expect(try await values.next() == ["Dune"])

      let before = runs.withLock { $0 }
      try await database.async.write { db in
        try db.execute("INSERT INTO reader VALUES ('Ada')")
        try db.execute("UPDATE book SET shelf = 5")
      }
      try await add("Emma", to: database)
      #expect(try await values.next() == ["Dune", "Emma"])
      // At most once when observation begins after the first value, and once for the change.
      #expect(runs.withLock { $0 } <= before + 2)
    }
  }

  @Test
  func `an observed query that reads a cached setting yields a value after the setting changes`()
    async throws
  {
    try await withLibrary { _, database in
      let theme = StorageKey("theme", kind: .preference, default: "none")
      var chosen = Storage()
      try chosen.use(.backend(SQLiteBackend(database)), for: .preference)
      let storage = chosen
      try storage.save("light", for: theme)
      #expect(storage[theme] == "light")
      var values = database.values { _ in storage[theme] }.makeAsyncIterator()
      #expect(try await values.next() == "light")

      try await storage.async.save("dark", for: theme)

      // Ends the waiting of a query that missed the change.
      let late = Task {
        try await Task.sleep(for: .hangLimit)
        try database.close()
      }
      let second = try? await values.next()
      #expect(second == "dark")
      late.cancel()
    }
  }

  @Test func `an observed query yields values after commits of another connection`() async throws {
    try await withLibrary { url, database in
      let other = try Database(at: url)
      var values = database.values(Self.titles).makeAsyncIterator()
      #expect(try await values.next() == [])
      for number in 1...20 {
        try await add("Volume \(number)", to: other)
        #expect(try await values.next()?.count == number)
      }
    }
  }

  @Test func `an observed query also observes tables that only a later run of the query reads`()
    async throws
  {
    try await withLibrary { _, database in
      var values = database.values { db in
        let shelf =
          try db.fetchOne("SELECT max(shelf) FROM book") { row in try row[0] as Int? } ?? nil
        guard shelf != nil else { return -1 }
        return try db.fetchOne("SELECT count(*) FROM reader") { row in try row[0] as Int } ?? 0
      }.makeAsyncIterator()
      #expect(try await values.next() == -1)

      try await database.async.write { db in
        try db.execute("INSERT INTO book(shelf) VALUES (1)")
      }
      #expect(try await values.next() == 0)

      try await database.async.write { db in
        try db.execute("INSERT INTO reader VALUES ('Ada')")
      }
      #expect(try await values.next() == 1)
    }
  }

  @Test func `an observed query yields the result of a change made while the observation begins`()
    async throws
  {
    try await withLibrary { _, database in
      for round in 1...50 {
        let writing = Task { try await add("Volume \(round)", to: database) }
        var last: [String]?
        var values = database.values(Self.titles).makeAsyncIterator()
        while last?.count != round { last = try await values.next() }
        try await writing.value

        #expect(last?.count == round)
      }
    }
  }

  @Test func `the sequence of an observed query throws the query's error and then ends`()
    async throws
  {
    try await withLibrary { _, database in
      var values = database.values(Self.titles).makeAsyncIterator()
      #expect(try await values.next() == [])
      try await database.async.write { db in try db.execute("DROP TABLE book") }
      await #expect(throws: StorageError.self) { _ = try await values.next() }
      #expect(try await values.next() == nil)
    }
  }

  @Test func `cancelling the iterating task ends the sequence of an observed query`() async throws {
    try await withLibrary { _, database in
      let begun = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        var count = 0
        for try await _ in database.values(Self.titles) {
          count += 1
          begun.continuation.yield()
        }
        return count
      }
      for await _ in begun.stream { break }
      task.cancel()
      let count = try await task.value

      #expect(count == 1)
    }
  }

  @Test
  func `an observed query also observes a column that is added after observation began`()
    async throws
  {
    try await withLibrary { _, database in
      try await add("Dune", to: database)
      var values = database.values { db in
        try db.fetchAll("SELECT * FROM book") { row in try row.dictionary() }
      }.makeAsyncIterator()
      #expect(try await values.next()?.first?.count == 3)
      try await database.async.write { db in
        try db.execute("ALTER TABLE book ADD COLUMN day TEXT")
      }
      #expect(try await values.next()?.first?.count == 4)
      try await database.async.write { db in try db.execute("UPDATE book SET day = 'Monday'") }
      #expect(try await values.next()?.first?["day"] == .text("Monday"))
    }
  }

  @Test func `an observed query of a recreated view follows the tables of the new definition`()
    async throws
  {
    try await withLibrary { _, database in
      try await database.async.write { db in
        try db.execute("CREATE VIEW shown AS SELECT title AS name FROM book")
      }
      var values = database.values { db in
        try db.fetchAll("SELECT name FROM shown") { row in try row[0] as String }
      }.makeAsyncIterator()
      #expect(try await values.next() == [])

      try await database.async.write { db in
        try db.execute("INSERT INTO reader VALUES ('Ada')")
        try db.execute("DROP VIEW shown")
        try db.execute("CREATE VIEW shown AS SELECT name FROM reader")
      }
      // The change of the view alone does not trigger the query. The next observed change does.
      try await add("Dune", to: database)
      #expect(try await values.next() == ["Ada"])

      try await database.async.write { db in
        try db.execute("INSERT INTO reader VALUES ('Grace')")
      }
      #expect(try await values.next() == ["Ada", "Grace"])
    }
  }

  @Test func `an observed full-text search runs again after a change of any indexed column`()
    async throws
  {
    try await withLibrary { _, database in
      try await database.async.write { db in
        try db.execute("CREATE VIRTUAL TABLE page USING fts5(title, body)")
        try db.execute("INSERT INTO page VALUES ('Dune', 'sand')")
      }
      var values = database.values { db in
        try db.fetchAll("SELECT title FROM page WHERE page MATCH 'spice'") { row in
          try row[0] as String
        }
      }.makeAsyncIterator()
      #expect(try await values.next() == [])

      try await database.async.write { db in
        try db.execute("UPDATE page SET body = 'sand and spice'")
      }
      #expect(try await values.next() == ["Dune"])
    }
  }

  @Test
  func `an observed query of a full-text table runs again if the external content table changes`()
    async throws
  {
    try await withLibrary { _, database in
      try await add("Dune", to: database)
      try await database.async.write { db in
        try db.execute(
          "CREATE VIRTUAL TABLE page USING fts5(title, content = 'book', content_rowid = 'id')")
        try db.execute("CREATE VIRTUAL TABLE word USING fts5vocab(page, row)")
      }
      var shown = database.values { db in
        try db.fetchAll("SELECT title FROM page") { row in try row[0] as String }
      }.makeAsyncIterator()
      var words = database.values { db in
        try db.fetchAll("SELECT term FROM word") { row in try row[0] as String }
      }.makeAsyncIterator()
      #expect(try await shown.next() == ["Dune"])
      #expect(try await words.next() == [])

      try await database.async.execute("UPDATE book SET title = 'Emma'")
      #expect(try await shown.next() == ["Emma"])

      try await database.async.execute("INSERT INTO page(page) VALUES ('rebuild')")
      #expect(try await words.next() == ["emma"])
    }
  }

  @Test func `an observed query of the schema yields a value after a schema change`() async throws {
    try await withLibrary { _, database in
      var values = database.values { db in try db.schema().map(\.name) }.makeAsyncIterator()
      #expect(try await values.next() == ["book", "reader"])
      try await database.async.write { db in try db.execute("CREATE TABLE loan(day TEXT)") }
      #expect(try await values.next() == ["book", "reader", "loan"])
    }
  }
}
