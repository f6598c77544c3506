import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of the execution of prepared statements, and of the rows that they return.
@Suite struct StatementExecutionTests {
  private struct Refusal: Error {}

  @Test func `a prepared statement can be run repeatedly with different values`() throws {
    let database = try Library.withTypedColumns()
    try database.write { db in
      try db.prepare("INSERT INTO book(title, pages) VALUES (?, ?)") { insert in
        for number in 0..<100 {
          try insert.bind("Volume \(number)", at: 1)
          try insert.bind(number, at: 2)
          try insert.run()
        }
      }
    }
    let sum = try database.read { db in
      try db.prepare("SELECT pages FROM book WHERE title = ?") { find in
        var sum = 0
        for number in [3, 50, 99] {
          try find.bind("Volume \(number)", at: 1)
          sum += try find.fetchOne { row in try row[0] as Int } ?? 0
        }
        return sum
      }
    }

    #expect(sum == 152)
  }

  @Test
  func `a prepared statement refuses interpolated values, and refuses to write inside a read`()
    throws
  {
    let database = try Library.withTypedColumns()
    let interpolated = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.prepare("INSERT INTO book(title) VALUES (\("Dune"))") { try $0.run() }
      }
    }
    #expect(interpolated?.code == .misuse)
    let written = #expect(throws: StorageError.self) {
      try database.read { db in try db.prepare("DELETE FROM book") { try $0.run() } }
    }
    #expect(written?.code == .misuse)
  }

  @Test func `a prepared statement can be run again after an error`() throws {
    let database = try Library.withTypedColumns()
    try database.write { db in
      try db.execute("CREATE UNIQUE INDEX one_title ON book(title)")
      for round in 0..<2 {
        try db.prepare("INSERT INTO book(title) VALUES (?)") { insert in
          try insert.bind("Dune \(round)", at: 1)
          try insert.run()
          #expect(throws: StorageError.self) { try insert.run() }
          try insert.bind("Emma \(round)", at: 1)
          try insert.run()
        }
        #expect(throws: Refusal.self) {
          try db.prepare("SELECT title FROM book") { try $0.forEach { _ in throw Refusal() } }
        }
      }
    }
    let count = try database.read { db in
      try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] as Int }
    }

    #expect(count == 4)
  }

  @Test
  func `a statement cannot be run inside its own row closure, but a copy of the statement can`()
    throws
  {
    let database = try Library.withTypedColumns()
    try database.write { db in
      try db.execute("INSERT INTO book(title) VALUES ('Dune'), ('Emma')")
      let sql: SQL = "SELECT title FROM book"
      let error = #expect(throws: StorageError.self) {
        try db.prepare(sql) { all in try all.forEach { _ in try all.run() } }
      }
      #expect(error?.code == .misuse)
      var count = 0
      try db.prepare(sql) { outer in
        try outer.forEach { _ in try db.prepare(sql) { try $0.forEach { _ in count += 1 } } }
      }
      #expect(count == 4)
    }
  }

  @Test
  func `every run of a prepared statement uses the bound value until the prepare closure ends`()
    throws
  {
    let database = try Library.withTypedColumns()
    let sql: SQL = "INSERT INTO book(title) VALUES (?)"
    try database.write { db in
      try db.prepare(sql) { insert in
        for _ in 0..<2 {
          try insert.bind("Dune", at: 1)
          try insert.run()
          // A bound value remains until another one replaces it.
          try insert.run()
        }
      }
      let error = #expect(throws: StorageError.self) { try db.prepare(sql) { try $0.run() } }
      #expect(error?.code == .misuse)
      // The same SQL text, with a value bound by interpolation.
      try db.execute("INSERT INTO book(title) VALUES (\("Emma"))")
    }
    let titles = try database.read { db in
      try db.fetchAll("SELECT title FROM book ORDER BY rowid") { row in try row[0] as String }
    }

    #expect(titles == ["Dune", "Dune", "Dune", "Dune", "Emma"])
  }

  @Test(
    arguments: [
      ("SELECT ?, ?", [1], "at the position 2,"), ("SELECT ?, ?", [2], "at the position 1,"),
      ("SELECT :title, @pages", [1], "placeholder \"@pages\""), ("SELECT ?2, ?4", [2], "\"?4\""),
      ("SELECT ?2, ?4", [2, 4], nil), ("SELECT :title, :title", [1], nil), ("SELECT 1", [], nil),
    ] as [(SQL, [Int], String?)])
  func `running a statement with an unbound placeholder throws an error that names the placeholder`(
    sql: SQL, bound: [Int], missing: String?
  ) throws {
    let database = try Library.withTypedColumns()
    try database.read { db in
      for _ in 0..<2 {
        try db.prepare(sql) { statement in
          for position in bound { try statement.bind(nil as String?, at: position) }
          let runs: [(borrowing Statement) throws -> Void] = [
            { try $0.run() }, { _ = try $0.fetchOne { _ in 1 } },
            { try $0.forEach { (_: borrowing Row) -> Void in } },
          ]
          for run in runs {
            if let missing {
              let error = #expect(throws: StorageError.self) { try run(statement) }
              #expect(error?.code == .misuse)
              #expect(error?.message.contains(missing) == true)
            } else {
              try run(statement)
            }
          }
        }
      }
    }
  }

  @Test func `unbound placeholders after the 64th placeholder are not detected`() throws {
    let database = try Library.withTypedColumns()
    let sql = SQL(
      unchecked: "SELECT " + Array(repeating: "?", count: 70).joined(separator: ", "))
    let count = try database.read { db in
      try db.prepare(sql) { statement in
        for position in 1...64 { try statement.bind(position, at: position) }
        return try statement.fetchOne { row in row.count }
      }
    }

    #expect(count == 70)
  }

  @Test
  func `running a statement throws if the last attempt to bind a placeholder failed`() throws {
    let database = try Database.inMemory(.init(maximumValueByteCount: 1_000_000))
    try database.read { db in
      try db.prepare("SELECT ?") { statement in
        try statement.bind("Dune", at: 1)
        #expect(throws: StorageError.self) {
          try statement.bind(String(repeating: "e", count: 1_000_001), at: 1)
        }
        let error = #expect(throws: StorageError.self) { try statement.run() }
        #expect(error?.code == .misuse)
      }
    }
  }

  @Test func `iterating over rows stops when the closure returns .stop`() throws {
    let database = try Library.withTypedColumns()
    let numbers: SQL =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    let seen = try database.read { db in
      var seen: [Int] = []
      try db.forEachUntil(numbers) { row in
        seen.append(try row[0])
        return seen.count < 3 ? .continue : .stop
      }
      try db.prepare(numbers) { all in
        for _ in 0..<2 {
          try all.forEachUntil { row in
            seen.append(try row[0])
            return .stop
          }
        }
      }
      try db.forEachUntil(numbers) { _ in .stop }
      return seen
    }

    #expect(seen == [1, 2, 3, 1, 1])
  }

  @Test(.behaviour("A-FM-33"))
  func `fetchOne returns nil if there is no row, while a lock or an unknown column is an error`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      let end = try database.read { db in try db.fetchOne("SELECT title FROM book") { _ in 1 } }
      #expect(end == nil)

      let other = try Database(at: url, .init(lockTimeout: .zero))
      try database.write { _ in
        let locked = #expect(throws: StorageError.self) {
          try other.write { db in try db.execute("DELETE FROM book") }
        }
        #expect(locked?.code == .locked)
      }
      let misuse = #expect(throws: StorageError.self) {
        try database.read { db in try db.fetchOne("SELECT absent FROM book") { _ in 1 } }
      }
      #expect(misuse?.code == .misuse)
    }
  }
}
