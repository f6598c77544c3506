import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftTesting

@Suite struct SQLCollationTests {
  private static let folded = SQLCollation("shelf_order") { $0.lowercased() < $1.lowercased() }

  private final class Probe: Sendable {
    private let onEnd: @Sendable () -> Void
    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
    func isBefore(_ left: String, _ right: String) -> Bool { left < right }
  }

  @Test
  func `sorting, comparing and UNIQUE use the custom collation that a column declares`() throws {
    let database = try Database.inMemory(.init(setUp: { db in try db.add(Self.folded) }))
    try database.write { db in
      try db.execute("CREATE TABLE book(title TEXT COLLATE shelf_order UNIQUE)")
      for title in ["émile", "Zoo", "Emma", "ÉCOLE"] {
        try db.execute("INSERT INTO book VALUES (\(title))")
      }
      let titles = try db.fetchAll("SELECT title FROM book ORDER BY title") { try $0[0] as String }
      #expect(titles == ["Emma", "Zoo", "ÉCOLE", "émile"])
      #expect(try db.fetchValue("SELECT title FROM book WHERE title = 'ÉMILE'") == "émile")
      let twice = #expect(throws: StorageError.self) {
        try db.execute("INSERT INTO book VALUES ('EMMA')")
      }
      #expect(twice?.code == .constraintViolated)
    }
  }

  @Test
  func `a custom collation orders strings of arbitrary bytes consistently, with valid UTF-8 first`()
    throws
  {
    var random = SeededGenerator(seed: 6)
    let database = try Database.inMemory(.init(setUp: { db in try db.add(Self.folded) }))
    try database.write { db in
      try db.execute("CREATE TABLE book(title COLLATE shelf_order)")
      try db.execute("CREATE INDEX by_title ON book(title)")
      for _ in 0..<500 {
        let bytes = RandomValue.bytes(&random, upTo: 4)
        try db.execute("INSERT INTO book VALUES (CAST(\(bytes) AS TEXT))")
      }
      #expect(try db.fetchValue("PRAGMA integrity_check") == "ok")
      let areValid = try db.fetchAll("SELECT CAST(title AS BLOB) FROM book ORDER BY title") { row in
        String(validating: try row[0] as Data, as: UTF8.self) != nil
      }
      #expect(areValid == areValid.filter { $0 } + areValid.filter { !$0 })
    }
  }

  @Test
  func `the error for a missing collation names the collation and suggests the set-up closure`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url, .init(setUp: { db in try db.add(Self.folded) }))
      try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT COLLATE shelf_order)")
      }
      try database.close()

      let error = #expect(throws: StorageError.self) {
        try Database(at: url).read { db in
          try db.fetchAll("SELECT title FROM book ORDER BY title") { _ in 1 }
        }
      }
      #expect(error?.code == .misuse)
      #expect(error?.message.contains("shelf_order") == true)
      #expect(error?.message.contains("setUp") == true)
    }
  }

  @Test
  func `the database refuses an invalid collation name, and releases its collations when closed`()
    throws
  {
    let count = Mutex(0)
    let database = try Database.inMemory(
      .init(setUp: { db in
        let probe = Probe { count.withLock { $0 += 1 } }
        try db.add(SQLCollation("probe") { probe.isBefore($0, $1) })
        for name in ["", "a\0b"] {
          #expect(throws: StorageError.self) {
            try db.add(SQLCollation(name) { probe.isBefore($0, $1) })
          }
        }
      }))
    #expect(count.withLock { $0 } == 0)

    try database.close()
    #expect(count.withLock { $0 } == 1)
  }

  private final class Shelf: Sendable {
    private let held = Mutex<Database?>(nil)

    var database: Database? {
      get { held.withLock { $0 } }
      set { held.withLock { $0 = newValue } }
    }
  }

  @Test func `a collation that calls itself through a query throws beyond a depth of 32 calls`()
    throws
  {
    let shelf = Shelf()
    defer { shelf.database = nil }
    let database = try Database.inMemory(
      .init(setUp: { db in
        try db.add(
          SQLCollation("shelf_order") { left, right in
            let first = try? shelf.database?.read { db in
              try db.fetchAll(
                "SELECT title FROM book ORDER BY title COLLATE shelf_order"
              ) { row in try row[0] as String }
            }
            return first == nil ? left < right : left > right
          })
      }))
    try database.write { db in
      try db.execute("CREATE TABLE book(title TEXT)")
      for title in ["Emma", "Dune", "Walden"] {
        try db.execute("INSERT INTO book VALUES (\(title))")
      }
    }
    shelf.database = database
    for _ in 0..<2 {
      let error = #expect(throws: StorageError.self) {
        try database.read { db in
          try db.fetchAll("SELECT title FROM book ORDER BY title COLLATE shelf_order") { _ in }
        }
      }
      #expect(error?.code == .misuse)
      #expect(error?.message.contains("more than 32") == true)
    }
    shelf.database = nil
    let titles = try database.read { db in
      try db.fetchAll("SELECT title FROM book ORDER BY title COLLATE shelf_order") { row in
        try row[0] as String
      }
    }
    #expect(titles == ["Dune", "Emma", "Walden"])
    try database.execute("DELETE FROM book")
  }
}
