import BehaviourTrait
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests that count compilations of statements, by the calls of the plan check, which runs once per
/// compiled statement.
@Suite struct StatementCacheTests {
  private static let scan: SQL = "SELECT count(*) FROM book WHERE title > 'D'"

  private final class Count: Sendable {
    private let plans = Mutex<[String]>([])

    func add(_ sql: String) { plans.withLock { $0.append(sql) } }

    /// Returns how many times the statement was compiled since the last call.
    func drain() -> Int {
      plans.withLock { plans in
        defer { plans = [] }
        return plans.count { $0 == StatementCacheTests.scan.text }
      }
    }
  }

  private func withLibrary(_ body: (Database, Count) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let count = Count()
      var options = DatabaseOptions()
      options.planCheck = { warning in count.add(warning.sql) }
      let database = try Database(at: directory.appending(path: "library.sqlite"), options)
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      try body(database, count)
    }
  }

  private func scan(_ database: Database) throws {
    let found = try database.read { db in try db.fetchValue(Self.scan) as Int? }
    #expect(found == 0)
  }

  @Test(.behaviour("A-FM-30"))
  func `SQL that is run again on one connection is compiled once`() throws {
    try withLibrary { database, count in
      for _ in 0..<10 { try scan(database) }
      #expect(count.drain() == 1)
      // Each connection has its own statements. SQL nested in its own rows needs a second one.
      try database.write { db in
        for _ in 0..<10 { _ = try db.fetchValue(Self.scan) as Int? }
        #expect(count.drain() == 1)
        try db.forEach(Self.scan) { _ in _ = try db.fetchValue(Self.scan) as Int? }
        #expect(count.drain() == 1)
      }
    }
  }

  @Test(.behaviour("A-FM-30"))
  func `the least recently used statement is evicted from the statement cache`() throws {
    try withLibrary { database, count in
      try database.read { db in
        for number in 0..<200 {
          _ = try db.fetchValue(Self.scan) as Int?
          _ = try db.fetchValue("SELECT \(number) AS \(identifier: "column \(number)")") as Int?
        }
        #expect(count.drain() == 1)
        for number in 0..<200 {
          _ = try db.fetchValue("SELECT \(number) AS \(identifier: "column \(number)")") as Int?
        }
        _ = try db.fetchValue(Self.scan) as Int?
        #expect(count.drain() == 1)
      }
    }
  }

  @Test(.behaviour("A-FM-30"))
  func `statements are compiled again for a new connection and after a schema change`() throws {
    try withLibrary { database, count in
      try scan(database)
      database.closeIdleReaders()
      try scan(database)
      #expect(count.drain() == 2)

      try database.whileClosed { _ in }
      try scan(database)
      #expect(count.drain() == 1)

      try database.write { db in
        _ = try db.fetchValue(Self.scan) as Int?
        try db.execute("CREATE TABLE loan(book TEXT)")
        _ = try db.fetchValue(Self.scan) as Int?
      }
      #expect(count.drain() == 2)
    }
  }

  /// "é" as one scalar and as two: equal for `String`, different for SQLite.
  private static let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")

  @Test
  func `SQL strings that differ only in Unicode normalisation are different cached statements`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE book(title TEXT)")
      try db.executeScript(
        SQL(
          unchecked: """
            INSERT INTO book VALUES ('\(Self.composed)');
            INSERT INTO book VALUES ('\(Self.decomposed)');
            """))
    }

    let titles = try database.read { db in
      try db.fetchAll("SELECT hex(title) FROM book ORDER BY rowid") { row in try row[0] as String }
    }

    #expect(titles == ["636166C3A9", "63616665CC81"])
  }

  @Test func `tables whose names differ only in Unicode normalisation are distinct`() throws {
    let database = try Database.inMemory()
    let names = [Self.composed, Self.decomposed]
    try database.write { db in
      for name in names { try db.execute("CREATE TABLE \(identifier: name)(title TEXT)") }
    }

    for _ in 0..<2 {
      for name in names {
        try database.write { db in
          try db.execute(
            "INSERT INTO \(identifier: name) VALUES (\(Data(name.utf8)))")
        }
      }
    }

    for name in names {
      let found = try database.read { db in
        try db.fetchAll("SELECT DISTINCT title FROM \(identifier: name)") { row in
          try row[0] as Data
        }
      }
      #expect(found == [Data(name.utf8)])
    }
  }
}
