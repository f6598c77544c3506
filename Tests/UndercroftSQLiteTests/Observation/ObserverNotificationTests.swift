import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of when and how often the observers of a database are called.
@Suite struct ObserverNotificationTests {
  @Test(arguments: [true, false])
  func `an observer is called once per commit, after the commit is visible to readers`(
    observesRows: Bool
  ) throws {
    let database = try ObservedLibrary.withLoans(observesRows: observesRows)
    let commits = CommitCollector()
    let counts = Mutex<[Int?]>([])
    let registration = try database.observe(.table("BOOK")) { changes in
      commits.append(changes)
      let count = try? database.read { db in
        try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] as Int }
      }
      counts.withLock { $0.append(count) }
    }
    try database.write { db in
      try db.execute("INSERT INTO book(title) VALUES ('Ulysses'), ('Persuasion')")
      try db.execute("INSERT INTO reader VALUES ('Ada', 36)")
      #expect(commits.drainTables() == [])
    }
    #expect(commits.drainTables() == [["book"]])
    #expect(counts.withLock { $0 } == [4])

    // These change no observed table, or nothing at all.
    try database.write { db in try db.execute("DELETE FROM reader") }
    try database.write { db in try db.execute("DELETE FROM book WHERE id = 99") }
    try database.write { db in _ = try db.fetchAll("SELECT * FROM book") { _ in } }
    if observesRows { #expect(commits.drainTables() == []) }
    registration.cancel()
    try database.write { db in try db.execute("DELETE FROM book") }
    #expect(commits.drain().allSatisfy { $0.tables?.first?.operations == [.delete] })
  }

  @Test func `an observer can read and write, and is called again after its own writes commit`()
    throws
  {
    let database = try ObservedLibrary.withLoans()
    let commits = CommitCollector()
    let registration = try database.observe(.table("book"), detail: .rows) { changes in
      commits.append(changes)
      let shelf = try? database.read { db in
        try db.fetchOne("SELECT max(shelf) FROM book") { row in try row[0] as Int }
      }
      guard let shelf, shelf < 10 else { return }
      _ = try? database.execute("UPDATE book SET shelf = \(shelf + 1)")
    }
    try database.write { db in try db.execute("UPDATE book SET shelf = 5") }
    var count = 0
    let deadline = ContinuousClock.now + .hangLimit
    while count < 6, ContinuousClock.now < deadline { count += commits.drain().count }

    #expect(count == 6)
    withExtendedLifetime(registration) {}
  }

  @Test
  func `an observer added during a write is notified of the commit, but not of the changed tables`()
    throws
  {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      let commits = CommitCollector()
      let registration = try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        return try inBackground { try database.observe(.table("book")) { commits.append($0) } }
          .wait()?.get()
      }

      #expect(commits.waitForTables(["?"]))
      withExtendedLifetime(registration) {}
    }
  }

  @Test func `commits of several threads are reported to observers once each, in commit order`()
    throws
  {
    try withTemporaryDirectory { directory in
      let database = try Database(
        at: directory.appending(path: "library.sqlite"), .init(lockTimeout: .hangLimit))
      try database.write { db in
        try db.execute("CREATE TABLE loan(number INTEGER PRIMARY KEY)")
      }
      let commits = CommitCollector()
      let registration = try database.observe(.table("loan"), detail: .rows) { commits.append($0) }
      let writers = (0..<4).map { _ in
        let done = Promise<Bool>()
        Thread {
          for _ in 0..<100 {
            _ = try? database.execute("INSERT INTO loan DEFAULT VALUES")
          }
          done.fulfill(true)
        }.start()
        return done
      }
      for writer in writers { #expect(writer.wait() == true) }
      // Another thread may still be delivering the last changes.
      var ids: [Int64] = []
      let deadline = ContinuousClock.now + .hangLimit
      while ids.count < 400, ContinuousClock.now < deadline {
        ids += commits.drain().flatMap { $0.tables ?? [] }.flatMap { $0.rows ?? [] }
          .compactMap(\.rowID)
      }
      #expect(ids == Array(1...400))
      withExtendedLifetime(registration) {}
    }
  }

  @Test func `commits of another connection are reported to observers with an external origin`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      let other = try Database(at: url)
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      let promise = Promise<CommittedChanges>()
      let registration = try database.observe(.table("book")) { promise.fulfill($0) }
      try other.write { db in try db.execute("INSERT INTO book VALUES ('Dune')") }
      let changes = try #require(promise.wait())

      #expect(changes.origin == .external)
      #expect(changes.tables == nil)
      withExtendedLifetime(registration) {}
    }
  }

  @Test func `changes by a trigger that another connection created notify observers`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      var options = DatabaseOptions()
      options.observesRows = false
      let database = try Database(at: url, options)
      let other = try Database(at: url)
      try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        try db.execute("CREATE TABLE note(text TEXT)")
      }
      let commits = CommitCollector()
      let registration = try database.observe(.table("note")) { commits.append($0) }
      let insert: () throws -> Void = {
        try database.execute("INSERT INTO book VALUES ('Dune')")
      }
      try insert()
      #expect(commits.drain().allSatisfy { $0.origin == .external })

      try other.write { db in
        try db.execute(
          "CREATE TRIGGER noting AFTER INSERT ON book BEGIN INSERT INTO note VALUES (new.title); END"
        )
      }
      try insert()
      #expect(commits.waitForTables(["note"]))
      withExtendedLifetime(registration) {}
    }
  }
}
