import BehaviourTrait
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of the locks for which calls wait, of the waiting times, and of the results.
@Suite(.timeLimit(.hangLimit)) struct BusyPolicyTests {
  private func withLibrary(_ body: (URL, Database) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      try body(url, database)
    }
  }

  private static func add(_ title: String, to database: Database) throws {
    try database.write { db in try db.execute("INSERT INTO book VALUES (\(title))") }
  }

  private static func count(_ database: Database) throws -> Int? {
    try database.read { db in try db.fetchValue("SELECT count(*) FROM book") }
  }

  // MARK: Writers and readers

  @Test(.behaviour("A-FM-37"))
  func `with a write-ahead log, a read does not block a write of another connection`() throws {
    try withLibrary { url, database in
      let other = try Database(at: url, .init(lockTimeout: .zero))
      try database.read { db in
        // The snapshot begins with the first statement.
        let before = try db.fetchValue("SELECT count(*) FROM book") as Int?
        try Self.add("Dune", to: other)
        let after = try db.fetchValue("SELECT count(*) FROM book") as Int?
        #expect(before == 0)
        #expect(after == 0)
      }

      #expect(try Self.count(database) == 1)
    }
  }

  @Test(.behaviour("A-FM-37"))
  func `with a rollback journal, a reader blocks writers until its read ends`() throws {
    try withLibrary { url, database in
      let copy = url.deletingLastPathComponent().appending(path: "copy.sqlite")
      try database.vacuum(into: copy)
      let reader = try Database(at: copy, .init(isReadOnly: true))
      try reader.read { db in
        let before = try db.fetchValue("SELECT count(*) FROM book") as Int?
        #expect(before == 0)
        let begin = ContinuousClock.now
        // A writing connection switches the journal to write-ahead logging first.
        let error = #expect(throws: StorageError.self) {
          try Database(at: copy, .init(lockTimeout: .milliseconds(50)))
        }
        #expect(error?.code == .locked)
        #expect((error?.underlying as? SQLiteError)?.code == .busy)
        #expect(ContinuousClock.now - begin >= .milliseconds(40))
      }
      try Self.add("Emma", to: try Database(at: copy))
      let titles = try reader.read { db in
        try db.fetchAll("SELECT title FROM book") { row in try row[0] as String }
      }

      #expect(titles == ["Emma"])
    }
  }

  @Test(.behaviour("A-FM-37"))
  func `a write to an in-memory database waits for a read because both use one connection`()
    throws
  {
    let database = try Database.inMemory(.init(lockTimeout: .milliseconds(20)))
    try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
    try database.read { _ in
      let result = inBackground { try Self.add("Dune", to: database) }.wait()
      let error = #expect(throws: StorageError.self) { try result?.get() }
      #expect(error?.code == .locked)
    }
    let result = inBackground { try Self.add("Emma", to: database) }.wait()
    try result?.get()

    #expect(try Self.count(database) == 1)
  }

  // MARK: Lock timeouts

  @Test(.behaviour("A-FM-38", "A-WC-22"), arguments: [-1, 0, 30, 300])
  func `each database waits for a lock up to its own lock timeout`(milliseconds: Int64) throws {
    try withLibrary { url, database in
      let timeout = Duration.milliseconds(milliseconds)
      var options = DatabaseOptions(lockTimeout: timeout)
      let other = try Database(at: url, options)
      // Changing the options later does not affect the open database.
      options.lockTimeout = .seconds(3_600)
      try database.write { _ in
        let begin = ContinuousClock.now
        let error = #expect(throws: StorageError.self) { try Self.add("Dune", to: other) }
        let waited = ContinuousClock.now - begin
        #expect(error?.code == .locked)
        #expect((error?.underlying as? SQLiteError)?.code == .busy)
        #expect(waited >= timeout - .milliseconds(1))
        #expect(waited < .seconds(60))
      }
      try Self.add("Emma", to: other)

      #expect(try Self.count(other) == 1)
    }
  }

  @Test(.behaviour("A-FM-38"))
  func `waiting with the longest representable lock timeout does not overflow`() throws {
    try withLibrary { url, database in
      let other = try Database(at: url, .init(lockTimeout: .seconds(Int64.max)))
      let waiting = try database.write { _ in
        let waiting = inBackground { try Self.add("Dune", to: other) }
        let second = inBackground { try Self.add("Emma", to: other) }
        Thread.sleep(forTimeInterval: 0.02)
        return [waiting, second]
      }
      for result in waiting { try result.wait()?.get() }

      #expect(try Self.count(database) == 2)
    }
  }

  @Test(.behaviour("A-FM-38"))
  func `with lock timeout zero, opening a locked file succeeds in WAL mode and throws otherwise`()
    throws
  {
    try withLibrary { url, database in
      for lock in TransactionLock.allCases {
        try database.write(lock: lock) { _ in
          let other = try Database(at: url, .init(lockTimeout: .zero))
          #expect(try Self.count(other) == 0)
        }
      }
      let new = url.deletingLastPathComponent().appending(path: "rollback.sqlite")
      let first = try OtherProgram(new)
      try first.run("CREATE TABLE book(title TEXT); BEGIN EXCLUSIVE")
      // Opening switches the journal mode, which the exclusive lock prevents.
      let error = #expect(throws: StorageError.self) {
        try Database(at: new, .init(lockTimeout: .zero))
      }
      #expect(error?.code == .locked)
      try first.run("COMMIT")
      let other = try Database(at: new, .init(lockTimeout: .zero))
      try other.write { _ in }
    }
  }

  // MARK: Waiting writers

  @Test(.behaviour("A-WC-22"), arguments: [true, false])
  func `a write that waits for another write runs when the other write ends`(isOwn: Bool) throws {
    try withLibrary { url, database in
      let other = isOwn ? database : try Database(at: url)
      let isInside = Atomic<Bool>(false)
      let waiting = try database.write { db in
        let waiting = inBackground {
          try other.write { db in
            isInside.store(true, ordering: .sequentiallyConsistent)
            return try db.fetchValue("SELECT count(*) FROM book") as Int?
          }
        }
        Thread.sleep(forTimeInterval: 0.05)
        let isTooEarly = isInside.load(ordering: .sequentiallyConsistent)
        #expect(!isTooEarly)
        try db.execute("INSERT INTO book VALUES ('Dune')")
        return waiting
      }

      #expect(try waiting.wait()?.get() == 1)
    }
  }

  @Test(.behaviour("A-WC-22"))
  func `a write that waits longer than the timeout for another write throws a locked error`() throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url, .init(lockTimeout: .milliseconds(20)))
      try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        let result = inBackground { try Self.add("Dune", to: database) }.wait()
        let error = #expect(throws: StorageError.self) { try result?.get() }
        #expect(error?.code == .locked)
      }
      try Self.add("Emma", to: database)

      #expect(try Self.count(database) == 1)
    }
  }

  @Test(.behaviour("A-WC-22"), arguments: [true, false])
  func `threads that write without pause do not starve other writers`(isOwn: Bool) throws {
    try withLibrary { url, database in
      let other = isOwn ? database : try Database(at: url)
      let isOver = Atomic<Bool>(false)
      defer { isOver.store(true, ordering: .relaxed) }
      let eager = (0..<3).map { _ in
        inBackground {
          var count = 0
          repeat {
            try Self.add("eager", to: database)
            count += 1
          } while !isOver.load(ordering: .relaxed)
          return count
        }
      }
      let patient = (0..<3).map { number in
        inBackground { for _ in 0..<10 { try Self.add("patient \(number)", to: other) } }
      }
      // None of these throws: each gets the lock within the default timeout.
      for writer in patient { try #require(writer.wait()).get() }
      isOver.store(true, ordering: .relaxed)
      var total = 30
      for writer in eager { total += try #require(writer.wait()).get() }

      #expect(try Self.count(database) == total)
      let counts = try database.read { db in
        try db.fetchAll(
          "SELECT count(*) FROM book WHERE title LIKE 'patient%' GROUP BY title"
        ) { row in try row[0] as Int }
      }
      #expect(counts == [10, 10, 10])
    }
  }
}
