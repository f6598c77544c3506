import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct FetchOrInsertTests {
  @Test func `fetchOrInsert inserts a record once and then returns the stored record unchanged`()
    throws
  {
    try Database.inMemory().write { db in
      let first = try Edition(isbn: "1", title: "Dune").fetchOrInsert(on: \.isbn, in: db)
      #expect(first == Edition(id: 1, isbn: "1", title: "Dune"))

      let before = db.changes
      let second = try Edition(isbn: "1", title: "Emma", rating: 5).fetchOrInsert(
        on: \.isbn, in: db)
      #expect(second == first)
      #expect(db.changes == before)
      try #expect(Edition.fetchAll(in: db) == [first])
      // No key is used up.
      try #expect(Edition(isbn: "2").fetchOrInsert(on: \.isbn, in: db).id == 2)
    }
  }

  @Test func `fetchOrInsert by the primary key returns the row with the key of the record`() throws
  {
    try Database.inMemory().write { db in
      let lending = Lending(reader: "Ada", book: "Dune", days: 7)
      try #expect(lending.fetchOrInsert(in: db) == lending)
      try #expect(Lending(reader: "Ada", book: "Dune").fetchOrInsert(in: db) == lending)
      // A key that SQLite generates cannot exist yet.
      try #expect(Edition(title: "Emma").fetchOrInsert(in: db).id == 1)
    }
  }

  @Test
  func `fetchOrInsert on a column throws and changes nothing if the primary key is already in use`()
    throws
  {
    try Database.inMemory().write { db in
      let stored = try Edition(id: 7, isbn: "1", title: "Dune").insertAndFetch(in: db)

      let error = #expect(throws: StorageError.self) {
        try Edition(id: 7, isbn: "2", title: "Emma").fetchOrInsert(on: \.isbn, in: db)
      }
      #expect(error?.code == .constraintViolated)

      // An existing row is returned even if the record could not be inserted.
      try #expect(Edition(id: 8, isbn: "1").fetchOrInsert(on: \.isbn, in: db) == stored)
      try #expect(Edition.fetchAll(in: db) == [stored])
    }
  }

  @Test func `fetchOrInsert throws for a nil value or for columns without a unique constraint`()
    throws
  {
    try Database.inMemory().write { db in
      for body in [
        { db in try Edition(id: 1, title: "Dune").fetchOrInsert(on: \.isbn, in: db) },
        { db in try Edition(isbn: "1", title: "Dune").fetchOrInsert(on: \.title, in: db) },
      ] as [(Connection) throws -> Edition] {
        let error = #expect(throws: StorageError.self) { try body(db) }
        #expect(error?.code == .misuse)
      }
      try #expect(Edition.fetchCount(in: db) == 0)
    }
  }

  @Test
  func `concurrent fetchOrInsert calls for one record through several connections store one row`()
    throws
  {
    try withTemporaryDirectory { folder in
      let file = folder.appending(path: "library.sqlite")
      let ids = Mutex<[String: Set<Int64>]>([:])
      let failures = Mutex<[String]>([])
      let writers = 4

      DispatchQueue.concurrentPerform(iterations: writers) { _ in
        do {
          // Each thread has its own connections, as another process has.
          let database = try Database(at: file)
          for number in 0..<25 {
            let name = "Author \(number)"
            let author = try database.write { db in
              try Author(name: name).fetchOrInsert(on: \.name, in: db)
            }
            ids.withLock { _ = $0[name, default: []].insert(author.id ?? 0) }
          }
          try database.close()
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }

      #expect(failures.withLock { $0 } == [])
      #expect(ids.withLock { $0.count } == 25)
      #expect(ids.withLock { $0.values.allSatisfy { $0.count == 1 } })
      let database = try Database(at: file)
      try #expect(database.read { db in try Author.fetchCount(in: db) } == 25)
      try database.close()
    }
  }
}

extension Connection {
  /// The number of rows that this connection has changed.
  fileprivate var changes: Int {
    (try? fetchValue("SELECT total_changes()", as: Int.self)) ?? -1
  }
}
