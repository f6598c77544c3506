import Foundation
import Synchronization
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite(.timeLimit(.minutes(15))) struct ObservedValuesTests {
  private func withLibrary(_ body: (URL, Database) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "undercroft-sqlite-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let url = directory.appending(path: "library.sqlite")
    let database = try Database(at: url)
    try database.write { db in
      try db.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, shelf INTEGER)")
      try db.execute("CREATE TABLE reader(name TEXT)")
    }
    try await body(url, database)
  }

  private static let titles: @Sendable (borrowing Connection) throws -> [String] = { db in
    try db.query("SELECT title FROM book ORDER BY title") { row in try row[0] as String }
  }

  private func add(_ title: String, to database: Database) async throws {
    try await database.async.write { db in
      try db.execute("INSERT INTO book(title) VALUES (\(title))")
    }
  }

  @Test func `the first value is the present one, then comes each other one`() async throws {
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

  @Test func `changes that come faster than they are read arrive as the latest`() async throws {
    try await withLibrary { _, database in
      var values = database.values(Self.titles).makeAsyncIterator()
      #expect(try await values.next() == [])
      for number in 100..<200 { try await add("Volume \(number)", to: database) }
      #expect(try await values.next()?.count == 100)
    }
  }

  @Test func `a query is run only for changes of what it reads`() async throws {
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
      // Once for the watch that began after the first, perhaps, and once for the change.
      #expect(runs.withLock { $0 } <= before + 2)
    }
  }

  @Test func `what another connection writes arrives`() async throws {
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

  @Test func `a query that reads other tables later is watched there`() async throws {
    try await withLibrary { _, database in
      var values = database.values { db in
        let shelf = try db.first("SELECT max(shelf) FROM book") { row in try row[0] as Int? } ?? nil
        guard shelf != nil else { return -1 }
        return try db.first("SELECT count(*) FROM reader") { row in try row[0] as Int } ?? 0
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

  @Test func `no change is missed while a query begins to be observed`() async throws {
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

  @Test func `an error of the query ends the sequence`() async throws {
    try await withLibrary { _, database in
      var values = database.values(Self.titles).makeAsyncIterator()
      #expect(try await values.next() == [])
      try await database.async.write { db in try db.execute("DROP TABLE book") }
      await #expect(throws: StorageError.self) { _ = try await values.next() }
      #expect(try await values.next() == nil)
    }
  }

  @Test func `a cancelled task ends the sequence`() async throws {
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

  @Test func `a column that came later is watched`() async throws {
    try await withLibrary { _, database in
      try await add("Dune", to: database)
      var values = database.values { db in
        try db.query("SELECT * FROM book") { row in try row.dictionary() }
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

  @Test func `a view that was made anew is watched where it looks now`() async throws {
    try await withLibrary { _, database in
      try await database.async.write { db in
        try db.execute("CREATE VIEW shown AS SELECT title AS name FROM book")
      }
      var values = database.values { db in
        try db.query("SELECT name FROM shown") { row in try row[0] as String }
      }.makeAsyncIterator()
      #expect(try await values.next() == [])
      try await database.async.write { db in
        try db.execute("INSERT INTO reader VALUES ('Ada')")
        try db.execute("DROP VIEW shown")
        try db.execute("CREATE VIEW shown AS SELECT name FROM reader")
      }
      // Without a change that it watched, the query learns of it with the next one.
      try await add("Dune", to: database)
      #expect(try await values.next() == ["Ada"])
      try await database.async.write { db in
        try db.execute("INSERT INTO reader VALUES ('Grace')")
      }
      #expect(try await values.next() == ["Ada", "Grace"])
    }
  }

  @Test func `a search is told of a change in any of its columns`() async throws {
    try await withLibrary { _, database in
      try await database.async.write { db in
        try db.execute("CREATE VIRTUAL TABLE page USING fts5(title, body)")
        try db.execute("INSERT INTO page VALUES ('Dune', 'sand')")
      }
      var values = database.values { db in
        try db.query("SELECT title FROM page WHERE page MATCH 'spice'") { row in
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

  @Test func `what a search shows of another table is watched there`() async throws {
    try await withLibrary { _, database in
      try await add("Dune", to: database)
      try await database.async.write { db in
        try db.execute(
          "CREATE VIRTUAL TABLE page USING fts5(title, content = 'book', content_rowid = 'id')")
        try db.execute("CREATE VIRTUAL TABLE word USING fts5vocab(page, row)")
      }
      var shown = database.values { db in
        try db.query("SELECT title FROM page") { row in try row[0] as String }
      }.makeAsyncIterator()
      var words = database.values { db in
        try db.query("SELECT term FROM word") { row in try row[0] as String }
      }.makeAsyncIterator()
      #expect(try await shown.next() == ["Dune"])
      #expect(try await words.next() == [])
      try await database.async.execute("UPDATE book SET title = 'Emma'")
      #expect(try await shown.next() == ["Emma"])
      try await database.async.execute("INSERT INTO page(page) VALUES ('rebuild')")
      #expect(try await words.next() == ["emma"])
    }
  }

  @Test func `the schema itself is watched`() async throws {
    try await withLibrary { _, database in
      var values = database.values { db in try db.schema().map(\.name) }.makeAsyncIterator()
      #expect(try await values.next() == ["book", "reader"])
      try await database.async.write { db in try db.execute("CREATE TABLE loan(day TEXT)") }
      #expect(try await values.next() == ["book", "reader", "loan"])
    }
  }
}
