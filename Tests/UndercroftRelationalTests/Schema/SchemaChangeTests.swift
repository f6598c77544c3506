import Foundation
import Synchronization
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
  func `a table dropped by a drop command is read as empty and recreated by the next write`()
    throws
  {
    try withDatabase { database, _ in
      try database.write { db in try QueryCommand.dropTable(Book.table.definition).run(in: db) }
      #expect(try database.read { db in try Book.fetchCount(in: db) } == 0)
      try database.write { db in try Book.table.insert(Book(title: "Emma"), in: db) }
      #expect(try database.read { db in try Book.fetchAll(in: db).map(\.title) } == ["Emma"])
    }
  }

  @Test func `a column dropped by a drop command is read as its default`() throws {
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
  func `after another connection drops a column, one read throws and the next read succeeds`()
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
    }
  }

  @Test func `after one reader detects another connection's schema change, no other reader fails`()
    throws
  {
    @Sendable func fails(_ database: Database, after body: () -> Void = {}) -> Bool {
      let books = try? database.read { db in
        body()
        return try Book.fetchAll(in: db)
      }
      return books == nil
    }
    try withDatabase { database, file in
      /// Reads with two readers at once, and returns the number of readers that failed.
      func failureCount() -> Int {
        let otherFails = Mutex(false)
        let isDone = DispatchSemaphore(value: 0)
        let firstFails = fails(database) {
          Thread {
            let result = fails(database)
            otherFails.withLock { $0 = result }
            isDone.signal()
          }
          .start()
          isDone.wait()
        }
        return [firstFails, otherFails.withLock(\.self)].count { $0 }
      }
      try #require(failureCount() == 0)
      let other = try Database(at: file)
      try other.write { db in try QueryCommand.dropColumn("note", of: "book").run(in: db) }

      let isFirstFailing = fails(database)
      let laterCount = failureCount()

      #expect(isFirstFailing)
      #expect(laterCount == 0)
    }
  }

  /// The writes whose statements name every column of the table.
  enum Writing: String, CaseIterable {
    case insert, insertAndFetch, insertAll, insertEach, upsert, update, updateByKey, delete

    func run(in db: Connection) throws {
      let emma = Book(id: 1, title: "Emma", note: "new")
      switch self {
      case .insert: try Book(title: "Emma").insert(in: db)
      case .insertAndFetch: _ = try Book(title: "Emma").insertAndFetch(in: db)
      case .insertAll: try Book.insertAll([Book(title: "Emma"), Book(title: "Ulysses")], in: db)
      case .insertEach: try #require(Book.insertEach([Book(title: "Emma")], in: db).isEmpty)
      case .upsert: try emma.upsert(in: db)
      case .update: try emma.update(in: db)
      case .updateByKey: try Book.update(key: 1, in: db) { $0.note = "new" }
      case .delete: _ = try emma.deleteAndFetch(in: db)
      }
    }
  }

  @Test(arguments: Writing.allCases, ["note", "table"])
  func `after another connection drops a table or column, the next write creates it again`(
    _ writing: Writing, _ dropped: String
  ) throws {
    try withDatabase { database, file in
      try database.write { db in try Writing.allCases.forEach { try $0.run(in: db) } }
      let other = try Database(at: file)
      try other.write { db in
        let drop =
          dropped == "table"
          ? QueryCommand.dropTable("book") : QueryCommand.dropColumn(dropped, of: "book")
        try drop.run(in: db)
      }

      try database.write { db in try writing.run(in: db) }

      try #expect(database.read { db in try db.columnExists("note", of: "book") })
    }
  }

  @Test(arguments: TransactionLock.allCases)
  func `a deferred, immediate or exclusive write succeeds after another connection drops a column`(
    _ lock: TransactionLock
  ) throws {
    try withDatabase { database, file in
      let other = try Database(at: file)
      try other.write { db in try QueryCommand.dropColumn("note", of: "book").run(in: db) }

      try database.write(lock: lock) { db in try Book(title: "Emma").insert(in: db) }

      try #expect(database.read { db in try Book.fetchCount(in: db) } == 2)
    }
  }

  @Test func `a write without a transaction succeeds after another connection drops a column`()
    throws
  {
    try withDatabase { database, file in
      let other = try Database(at: file)

      try database.writeWithoutTransaction { db in
        try Book(title: "Emma").insert(in: db)
        try other.write { db in try QueryCommand.dropColumn("note", of: "book").run(in: db) }
        try Book(title: "Ulysses").insert(in: db)
      }

      try #expect(database.read { db in try Book.fetchCount(in: db) } == 3)
    }
  }

  @Test
  func `after another connection renames a column, a write throws and names the missing column`()
    throws
  {
    try withDatabase { database, file in
      let other = try Database(at: file)
      try other.write { db in
        try QueryCommand.renameColumn("title", of: "book", to: "name").run(in: db)
      }

      let error = #expect(throws: StorageError.self) {
        try database.write { db in try Book(title: "Emma").insert(in: db) }
      }

      #expect(error?.message.contains("column \"title\" is missing") == true)
    }
  }

  @Test func `the next write restores a declared index that another connection dropped`() throws {
    try withDatabase { database, file in
      let other = try Database(at: file)
      let index = "undercroft.book.title"
      try other.write { db in try QueryCommand.dropIndex(index).run(in: db) }

      try database.write { db in try Book(title: "Emma").insert(in: db) }

      try #expect(database.read { db in try db.schema().contains { $0.name == index } })
    }
  }

  @Test
  func `after a rollback undoes the creation of a table, the next write creates the table again`()
    throws
  {
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
