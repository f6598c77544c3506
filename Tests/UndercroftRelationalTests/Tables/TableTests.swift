import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct TableTests {
  @Test(.behaviour("A-CT-I02"))
  func `inserting a record returns the record with its generated key`() throws {
    let database = try Database.inMemory()
    let book = try database.write { db in try Book.table.insertAndFetch(Book(title: "Dune"), in: db)
    }

    #expect(book.id == 1)
    #expect(try database.read { db in try Book.find(1 as Int64, in: db) } == book)
    #expect(try database.read { db in try Book.find(2 as Int64, in: db) } == nil)
  }

  @Test(.behaviour("A-CT-I12"))
  func `a nil property whose column has a default is stored as the default`() throws {
    let database = try Database.inMemory()
    let book = try database.write { db in try Book.table.insertAndFetch(Book(title: "Dune"), in: db)
    }

    #expect(book.shelf == "unsorted")
    #expect(book.note == nil)
  }

  @Test func `a planCheck closure receives no warning about the library's own schema queries`()
    throws
  {
    let options = DatabaseOptions(planCheck: { warning in throw warning })
    let database = try Database.inMemory(options)

    let book = try database.write { db in
      try Book.table.prepare(in: db)
      let book = try Book.table.insertAndFetch(Book(title: "Dune"), in: db)
      try Book.table.upsert(book, in: db)
      return book
    }

    #expect(try database.read { db in try Book.find(1 as Int64, in: db) } == book)
    #expect(try database.read { db in try db.schema() }.contains { $0.name == "book" })
    #expect(try database.write { db in try Book.table.truncate(in: db) } == 1)
    #expect(throws: PlanWarning.self) {
      try database.read { db in try Book.where { $0.note == "lent" }.fetchAll(in: db) }
    }
  }

  @Test func `a table that does not exist in the database is read as empty`() throws {
    let database = try Database.inMemory()
    #expect(try database.read { db in try Book.fetchAll(in: db) } == [])
    #expect(try database.read { db in try Book.where { $0.rating > 3 }.fetchCount(in: db) } == 0)
    #expect(try database.read { db in try db.tableExists("book") } == false)
  }

  @Test(.behaviour("A-GY-09"))
  func `a column missing from a stored table is read as its default and added by the next write`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute(
        "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT NOT NULL, genre TEXT NOT NULL, note TEXT)"
      )
      try db.execute("INSERT INTO book VALUES (1, 'Dune', 'novel', 'lent')")
    }
    let expected = Book(id: 1, title: "Dune", note: "lent", shelf: "unsorted")

    #expect(try database.read { db in try Book.fetchAll(in: db) } == [expected])
    #expect(try database.read { db in try db.columnExists("shelf", of: "book") } == false)

    try database.write { db in try Book.table.insert(Book(title: "Emma"), in: db) }

    #expect(try database.read { db in try db.columnExists("shelf", of: "book") })
    #expect(try database.read { db in try Book.find(1 as Int64, in: db) } == expected)
  }

  @Test func `conditions select the rows that are read, updated and deleted`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try Book.table.insertAll(
        (1...20).map {
          Book(title: "Volume \($0)", note: $0 > 10 ? "new" : nil, rating: $0 % 5)
        },
        in: db)
    }

    let titles = try database.read { db in
      try Book.where {
        $0.rating >= 3 && ($0.note == nil || $0.title.like("%20")) && $0.genre == .novel
      }
      .order { $0.title }.limit(3).fetchValues(in: db) { $0.title }
    }

    #expect(titles == ["Volume 3", "Volume 4", "Volume 8"])

    let changed = try database.write { db in
      try Book.where { $0.note != nil }.update(in: db) {
        $0.rating = 5
        $0.note = nil
      }
    }

    #expect(changed == 10)
    try #expect(
      database.write { db in try Book.where { $0.rating == 5 }.delete(in: db) } == 10)
    #expect(try database.read { db in try Book.fetchCount(in: db) } == 10)
  }

  @Test(.behaviour("A-CT-U01"), .behaviour("A-CT-U06"))
  func `updating with a record changes no row but the one with the record's key`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try Book.table.insertAll(["Dune", "Emma"].map { Book(title: $0) }, in: db)
      try #expect(Book.table.update(Book(id: 2, title: "Persuasion", shelf: "A"), in: db) == 1)
      try #expect(Book.table.update(Book(id: 3, title: "Ulysses"), in: db) == 0)
      let error = #expect(throws: StorageError.self) {
        try Book.table.update(Book(title: "Ulysses"), in: db)
      }
      #expect(error?.code == .misuse)
    }

    let titles = try database.read { db in
      try Book.order { $0.title }.fetchValues(in: db) { $0.title }
    }

    #expect(titles == ["Dune", "Persuasion"])
  }

  @Test(.behaviour("A-CT-D03"))
  func `a rollback restores the rows of a truncated table`() throws {
    struct Refusal: Error {}
    let database = try Database.inMemory()
    let dune = try database.write { db in try Book.table.insertAndFetch(Book(title: "Dune"), in: db)
    }

    try? database.write { db in
      try Book.table.truncate(in: db)
      #expect(try Book.fetchCount(in: db) == 0)
      throw Refusal()
    }

    #expect(try database.read { db in try Book.fetchAll(in: db) } == [dune])

    try #expect(database.write { db in try Book.table.delete(dune, in: db) } == 1)
    try #expect(database.write { db in try Book.table.delete(dune, in: db) } == 0)
  }
}
