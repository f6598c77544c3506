import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct InsertTests {
  @Test(.behaviour("A-CT-I01"), .behaviour("A-WC-34"))
  func `an insert of some columns leaves the other columns at their default or NULL`() throws {
    try Database.inMemory().write { db in

      let full = Edition(isbn: "1", title: "Dune", rating: 5, note: "lent", shelf: "C")
      let stored = try Edition.table.insertAndFetch(full, only: \.title, \.rating, in: db)
      #expect(stored == Edition(id: 1, title: "Dune", rating: 5, shelf: "unsorted"))
      #expect(try Edition.find(1 as Int64, in: db) == stored)

      #expect(throws: StorageError.self) {
        try Edition.table.insert(full, only: \.rating, in: db)
      }
      #expect(try Edition.fetchCount(in: db) == 1)
    }
  }

  @Test(.behaviour("A-CT-I08"), .behaviour("A-WC-31"))
  func `inserting ten records returns each record with its generated key`() throws {
    try Database.inMemory().write { db in
      let editions = (1...10).map { Edition(title: "Volume \($0)") }
      let stored = try Edition.table.insertAllAndFetch(editions, in: db)
      #expect(stored.map(\.id) == (1...10).map { Int64($0) })
      #expect(stored.map(\.title) == editions.map(\.title))
      #expect(try Edition.fetchCount(in: db) == 10)
      // A table without a generated key returns the record unchanged.
      try #expect(
        Lending.table.insertAndFetch(Lending(reader: "Ada", book: "Dune"), in: db).reader
          == "Ada")
    }
  }

  @Test func `errors of a batch insert match the same catch patterns as errors of a single insert`()
    throws
  {
    let again = [Edition(isbn: "1", title: "Dune"), Edition(isbn: "1", title: "Dune")]
    let database = try Database.inMemory()
    let write: (_ isBatch: Bool) throws -> Void = { isBatch in
      try database.write { db in
        if isBatch { try Edition.table.insertAll(again, in: db) }
        for edition in again where !isBatch { try Edition.table.insert(edition, in: db) }
      }
    }
    var caught: [String] = []

    for isBatch in [false, true] {
      do { try write(isBatch) } catch let error
        where SQLiteError(causeOf: error)?.constraint == .unique(columns: ["isbn"])
      {
        caught.append("constraint")
      }
      do { try write(isBatch) } catch StorageError.Code.constraintViolated {
        caught.append("code")
      }
      do { try write(isBatch) } catch SQLiteError.Code.constraintUnique {
        caught.append("SQLite code")
      }
    }

    #expect(caught == ["constraint", "code", "SQLite code", "constraint", "code", "SQLite code"])
  }

  @Test(.behaviour("A-CT-I09"), .behaviour("A-CT-I10"), .behaviour("A-WC-35"))
  func `insertAll stores nothing if a record is rejected, and insertEach stores the other records`()
    throws
  {
    try Database.inMemory().write { db in
      let editions = ["1", "2", "1", "3"].map { Edition(isbn: $0, title: "Dune") }
      let error = #expect(throws: BatchElementError.self) {
        try Edition.table.insertAll(editions, in: db)
      }
      #expect(error?.index == 2)
      #expect((error?.underlying as? StorageError)?.code == .constraintViolated)

      #expect(throws: BatchElementError.self) {
        _ = try Edition.table.insertAllAndFetch(editions, in: db)
      }
      #expect(try Edition.fetchCount(in: db) == 0)

      let refused = try Edition.table.insertEach(editions, in: db)
      #expect(refused.map(\.index) == [2])
      #expect(try Edition.order { $0.isbn }.fetchValues(in: db, { $0.isbn }) == ["1", "2", "3"])
    }
  }

  @Test(.behaviour("A-CT-I14"), .behaviour("A-WC-35"))
  func `writing an empty list of records changes nothing`() throws {
    try Database.inMemory().write { db in
      let none: [Edition] = []
      let count = try Edition.table.insertAll(none, in: db)
      #expect(count == 0)
      try #expect(Edition.table.insertAllAndFetch(none, in: db) == [])
      try #expect(Edition.table.insertEach(none, in: db).isEmpty)
      try #expect(Edition.table.upsertAllAndFetch(none, in: db) == [])
      try #expect(Edition.table.updateAll(none, in: db) == 0)
      try #expect(Edition.table.deleteAll(none, in: db) == 0)
      #expect(try Edition.fetchCount(in: db) == 0)
    }
  }

  @Test(.behaviour("A-WC-35"))
  func `an insert with onConflict ignores the new record or replaces the existing row`() throws {
    try Database.inMemory().write { db in
      let first = try Edition.table.insertAndFetch(Edition(isbn: "1", title: "Dune"), in: db)
      let second = Edition(isbn: "1", title: "Emma")
      try #expect(Edition.table.insertAndFetch(second, onConflict: .ignore, in: db) == nil)
      #expect(try Edition.fetchAll(in: db) == [first])

      let stored = try Edition.table.insertAndFetch(second, onConflict: .replace, in: db)
      #expect(try Edition.fetchAll(in: db) == [try #require(stored)])
      #expect(stored?.title == "Emma")

      let list = ["1", "2", "2", "3"].map { Edition(isbn: $0, title: $0) }
      try #expect(Edition.table.insertAll(list, onConflict: .ignore, in: db) == 2)
      try #expect(Edition.table.insertAll(list, onConflict: .replace, in: db) == 4)
      #expect(try Edition.fetchCount(in: db) == 3)
    }
  }

  @Test func `an insert that ignores conflicts still throws for a violated CHECK constraint`()
    throws
  {
    try Database.inMemory().write { db in
      try db.execute(
        "CREATE TABLE edition(id INTEGER PRIMARY KEY AUTOINCREMENT, isbn TEXT UNIQUE, title TEXT NOT NULL CHECK (title <> ''), rating INTEGER, note TEXT, shelf TEXT DEFAULT 'unsorted')"
      )
      #expect(throws: StorageError.self) {
        try Edition.table.insert(Edition(title: ""), onConflict: .ignore, in: db)
      }
    }
  }

  @Test
  func `an insert that violates a foreign key throws, even if SQLite has already returned the row`()
    throws
  {
    try Database.inMemory().write { db in
      try db.execute("CREATE TABLE shelf(name TEXT PRIMARY KEY)")
      try db.execute(
        "CREATE TABLE edition(id INTEGER PRIMARY KEY AUTOINCREMENT, isbn TEXT UNIQUE, title TEXT NOT NULL, rating INTEGER, note TEXT, shelf TEXT DEFAULT 'unsorted' REFERENCES shelf)"
      )
      try db.execute("INSERT INTO shelf VALUES ('A')")

      #expect(throws: StorageError.self) {
        try Edition.table.insert(Edition(title: "Dune", shelf: "B"), in: db)
      }
      let stored = try Edition.table.insertAndFetch(
        Edition(isbn: "1", title: "Dune", shelf: "A"), in: db)
      #expect(throws: StorageError.self) {
        try Edition.table.upsert(Edition(isbn: "1", title: "Dune", shelf: "B"), on: \.isbn, in: db)
      }
      #expect(throws: StorageError.self) {
        try Edition.table.updateAndFetch(key: try #require(stored.id), in: db) { $0.shelf = "B" }
      }
      #expect(try Edition.fetchAll(in: db) == [stored])
    }
  }

  @Test func `an insert that a trigger cancels with RAISE(IGNORE) throws`() throws {
    try Database.inMemory().write { db in
      try Edition.table.insert(Edition(title: "Dune"), in: db)
      try db.execute(
        "CREATE TRIGGER closed BEFORE INSERT ON edition BEGIN SELECT RAISE(IGNORE); END")

      let error = #expect(throws: StorageError.self) {
        try Edition.table.insert(Edition(title: "Emma"), in: db)
      }
      #expect(error?.code == .vetoed)
    }
  }

  @Test func `writing to a table inside a read throws`() throws {
    let database = try Database.inMemory()
    let error = #expect(throws: StorageError.self) {
      try database.read { db in _ = try Edition.table.insertAndFetch(Edition(title: "Dune"), in: db)
      }
    }
    #expect(error?.code == .misuse)
  }
}
