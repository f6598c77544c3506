import Foundation
import Synchronization
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct SQLAggregateTests {
  private struct Refusal: Error {}

  private final class Probe: Sendable {
    static let alive = Mutex(0)
    init() { Self.alive.withLock { $0 += 1 } }
    deinit { Self.alive.withLock { $0 -= 1 } }
  }

  private static let longest = SQLAggregate("longest", argumentCount: 1, initial: String?.none) {
    longest, arguments in
    let title: String = try arguments[0]
    if title.count > longest?.count ?? -1 { longest = title }
  } result: {
    $0
  }

  private func library(_ aggregates: SQLAggregate...) throws -> Database {
    let database = try Database.inMemory(
      .init(setUp: { db in for aggregate in aggregates { try db.add(aggregate) } }))
    try database.write { db in
      try db.execute("CREATE TABLE book(author TEXT, title TEXT)")
      try db.execute(
        "INSERT INTO book VALUES ('Austen', 'Emma'), ('Austen', 'Persuasion'), ('Joyce', 'Ulysses')"
      )
    }
    return database
  }

  @Test
  func `an aggregate has one state per group, and returns its initial state if no row exists`()
    throws
  {
    let database = try library(Self.longest)
    try database.read { db in
      let longest = try db.fetchAll(
        "SELECT longest(title) FROM book GROUP BY author ORDER BY author"
      ) {
        row in try row[0] as String
      }
      #expect(longest == ["Persuasion", "Ulysses"])
      #expect(try db.fetchValue("SELECT longest(title) FROM book WHERE 0", as: String?.self) == nil)
    }
  }

  @Test
  func `an error of an aggregate's step or result reaches the caller, and the states are released`()
    throws
  {
    let failing = SQLAggregate("failing", argumentCount: 1, initial: Probe?.none) {
      state, arguments in
      state = Probe()
      if try arguments[0] as String == "Persuasion" { throw Refusal() }
    } result: { _ in
      throw Refusal()
    }
    let counting = SQLAggregate("counting", initial: Probe?.none) { state, _ in
      state = Probe()
    } result: { state in
      state == nil ? 0 : 1
    }
    let database = try library(failing, counting)
    for sql in [
      "SELECT failing(title) FROM book", "SELECT failing(title) FROM book WHERE 0",
      "SELECT failing(title) FROM book WHERE author = 'Joyce'",
    ] as [SQL] {
      #expect(throws: Refusal.self) {
        try database.read { db in try db.fetchValue(sql, as: Int.self) }
      }
    }
    let wrong = #expect(throws: StorageError.self) {
      try database.read { db in try db.fetchValue("SELECT failing(1)", as: Int.self) }
    }
    #expect(wrong?.code == .decodingFailed)

    try database.read { db in
      _ = try db.fetchOne("SELECT counting() FROM book GROUP BY author") { row in try row[0] as Int
      }
    }
    #expect(Probe.alive.withLock { $0 } == 0)
  }
}
