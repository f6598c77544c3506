import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests of a connection whose cached schema becomes outdated.
@Suite struct SchemaChangeTests {
  private func withDatabase(_ body: (Database, URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "library.db")
      let database = try Database(at: file)
      try database.write { db in try Book.table.insert(Book(title: "Dune", note: "lent"), in: db) }
      #expect(try database.read { db in try Book.fetchAll(in: db).count } == 1)
      try body(database, file)
    }
  }

  @Test
  func `a table dropped by the same database reads as empty and is recreated by the next write`()
    throws
  {
    try withDatabase { database, _ in
      try database.write { db in try QueryCommand.dropTable(Book.table.definition).run(in: db) }
      #expect(try database.read { db in try Book.fetchCount(in: db) } == 0)
      try database.write { db in try Book.table.insert(Book(title: "Emma"), in: db) }
      #expect(try database.read { db in try Book.fetchAll(in: db).map(\.title) } == ["Emma"])
    }
  }

  @Test func `a column dropped by the same database is read as its default`() throws {
    try withDatabase { database, _ in
      try database.write { db in
        try QueryCommand.dropColumn("note", of: "book").run(in: db)
        try QueryCommand.dropColumn("shelf", of: "book").run(in: db)

      }

      let books = try database.read { db in try Book.fetchAll(in: db) }
      #expect(books == [Book(id: 1, title: "Dune", note: nil, shelf: "unsorted")])
    }
  }

  @Test
  func `a table or column dropped by another connection causes one error and is then detected`()
    throws
  {
    try withDatabase { database, file in
      let other = try Database(at: file)
      try other.write { db in try QueryCommand.dropColumn("note", of: "book").run(in: db) }

      // The quoted name of the missing column must not be read as a string literal.
      #expect(throws: StorageError.self) {
        try database.read { db in try Book.fetchAll(in: db) }
      }
      let books = try database.read { db in try Book.fetchAll(in: db) }
      #expect(books == [Book(id: 1, title: "Dune", note: nil, shelf: "unsorted")])

      try other.write { db in try QueryCommand.dropTable("book").run(in: db) }
      #expect(throws: StorageError.self) {
        try database.write { db in try Book.table.insert(Book(title: "Emma"), in: db) }
      }
      let emma = try database.write { db in
        try Book.table.insertAndFetch(Book(title: "Emma"), in: db)
      }
      #expect(emma.id == 1)
    }
  }

  @Test func `a table created in a transaction that is rolled back is created again`() throws {
    struct Undone: Error {}
    let database = try Database.inMemory()

    #expect(throws: Undone.self) {
      try database.write { db in
        try Book.table.insert(Book(title: "Dune"), in: db)
        throw Undone()
      }
    }

    #expect(try database.read { db in try Book.fetchCount(in: db) } == 0)

    try database.write { db in
      #expect(throws: Undone.self) {
        try db.transaction { db in
          try Book.table.insert(Book(title: "Dune"), in: db)
          throw Undone()
        }
      }
      try #expect(Book.table.insertAndFetch(Book(title: "Emma"), in: db).id == 1)
    }
    #expect(try database.read { db in try Book.fetchCount(in: db) } == 1)
  }

  @Test func `a table declared in a computed property can be written and read repeatedly`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      for _ in 0..<1_000 {
        try Copied<Book>.table.insert(Copied(id: nil, title: "Dune"), in: db)
      }
      #expect(try Copied<Book>.table.fetchCount(in: db) == 1_000)
    }
  }

  /// A generic type, which cannot have static stored properties.
  private struct Copied<Original>: TableRecord {
    var id: Int64?
    var title: String
    static var table: Table<Self> {
      Table("copied", Self.init, Column("id", \.id).primaryKey(), Column("title", \.title))
    }
  }
}
