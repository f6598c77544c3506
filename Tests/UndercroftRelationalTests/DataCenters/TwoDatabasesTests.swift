import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct TwoDatabasesTests {
  struct Failure: Error {}

  private func titles(_ database: Database) throws -> [String] {
    try database.read { db in try Book.order { $0.id }.fetchAll(in: db).map(\.title) }
  }

  @Test func `a write to two databases commits in both databases or in neither`() throws {
    try withTemporaryDirectory { directory in
      let main = try Database(at: directory.appending(path: "main.sqlite"))
      let archive = try Database(at: directory.appending(path: "archive.sqlite"))
      try main.write { db in
        try Book.table.insertAll(["Dune", "Emma"].map { Book(title: $0) }, in: db)
      }
      func archiveAll(failing: Bool) throws -> Int {
        try main.write(with: archive) { db, archive in
          let books = try Book.fetchAll(in: db)
          try Book.table.insertAll(books, in: archive)
          let count = try Book.all.delete(in: db)
          if failing { throw Failure() }
          return count
        }
      }

      #expect(throws: Failure.self) { try archiveAll(failing: true) }
      #expect(try titles(main) == ["Dune", "Emma"])
      #expect(try titles(archive) == [])

      #expect(try archiveAll(failing: false) == 2)
      #expect(try titles(main) == [])
      #expect(try titles(archive) == ["Dune", "Emma"])

      try main.close()
      try archive.close()
    }
  }

  @Test
  func `a write to two databases is rolled back in both if the commit in either database fails`()
    throws
  {
    let (one, other) = (try Database.inMemory(), try Database.inMemory())
    for database in [one, other] {
      try database.write { db in
        try db.execute("CREATE TABLE parent(id INTEGER PRIMARY KEY)")
        try db.execute(
          "CREATE TABLE child(id INTEGER REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED)")
      }
    }

    for refusesFirst in [true, false] {
      let error = #expect(throws: StorageError.self) {
        try one.write(with: other) { db, otherDB in
          _ = try Book.table.insert(Book(title: "Dune"), in: db)
          _ = try Book.table.insert(Book(title: "Dune"), in: otherDB)
          if refusesFirst {
            try db.execute("INSERT INTO child VALUES (1)")
          } else {
            try otherDB.execute("INSERT INTO child VALUES (1)")
          }
        }
      }
      #expect(error?.code == .constraintViolated)
      #expect(try titles(one) == [])
      #expect(try titles(other) == [])
    }
    // A deferred foreign key that is satisfied before the commit is no violation.
    try one.write(with: other) { db, otherDB in
      try db.execute("INSERT INTO child VALUES (1)")
      try db.execute("INSERT INTO parent VALUES (1)")
      _ = try Book.table.insert(Book(title: "Dune"), in: otherDB)
    }
    #expect(try titles(other) == ["Dune"])
  }

  @Test(arguments: [true, false])
  func `a write to two databases changes neither database if SQLite rolls back one transaction`(
    isFirst: Bool
  ) throws {
    let (one, other) = (try Database.inMemory(), try Database.inMemory())
    for database in [one, other] {
      try database.execute("CREATE TABLE parent(id INTEGER PRIMARY KEY)")
    }

    let error = #expect(throws: StorageError.self) {
      try one.write(with: other) { db, otherDB in
        _ = try Book.table.insert(Book(title: "Dune"), in: db)
        _ = try Book.table.insert(Book(title: "Dune"), in: otherDB)
        // SQLite rolls the transaction back, and the closure takes no notice of that.
        let sql: SQL = "INSERT OR ROLLBACK INTO parent VALUES (1), (1)"
        if isFirst { _ = try? db.execute(sql) } else { _ = try? otherDB.execute(sql) }
      }
    }

    #expect(error?.code == .misuse)
    #expect(try titles(one) == [])
    #expect(try titles(other) == [])
  }

  @Test
  func `a nested write to two databases is rolled back with the outer transaction`()
    throws
  {
    let (one, other) = (try Database.inMemory(), try Database.inMemory())
    #expect(throws: Failure.self) {
      try one.write { _ in
        try one.write(with: other) { db, _ in
          _ = try Book.table.insert(Book(title: "Dune"), in: db)
        }
        throw Failure()
      }
    }
    #expect(try titles(one) == [])

    try one.write(with: one) { db, same in
      _ = try Book.table.insert(Book(title: "Dune"), in: db)
      _ = try Book.table.insert(Book(title: "Emma"), in: same)
    }
    #expect(try titles(one) == ["Dune", "Emma"])
  }

  /// The import is prepared beside the database that screens read, so that it does not block them.
  @Test func `write(with:) can move rows from one database to another database in batches`()
    throws
  {
    try withTemporaryDirectory { directory in
      let main = try Database(at: directory.appending(path: "main.sqlite"))
      let auxiliary = try Database(at: directory.appending(path: "import.sqlite"))
      try auxiliary.write { db in
        try Book.table.insertAll((1...95).map { Book(title: "\($0)") }, in: db)
      }

      var slices = 0
      // The main database commits first, so rows are deleted from the auxiliary database only after
      // they have been copied.
      while try auxiliary.write(
        with: main,
        { auxiliary, db in
          let slice = try Book.order { $0.id }.limit(20).fetchAll(in: auxiliary)
          // After a crash between the two commits, the upsert repeats a slice without duplicating
          // rows.
          for book in slice { _ = try Book.table.upsertAndFetch(book, in: db) }
          for book in slice { try Book.table.delete(book, in: auxiliary) }
          return !slice.isEmpty
        })
      {
        slices += 1
      }

      #expect(slices == 5)
      #expect(try titles(main) == (1...95).map { "\($0)" })
      #expect(try titles(auxiliary) == [])
      try main.close()
      try auxiliary.close()
    }
  }
}
