import BehaviourTrait
import Foundation
import Synchronization
import Testing
import UndercroftCore
import UndercroftSQLite

/// Who waits for whom, for how long, and what becomes of it.
@Suite(.timeLimit(.minutes(15))) struct BusyPolicyTests {
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
    try database.read { db in try db.value("SELECT count(*) FROM book") }
  }

  // MARK: Writers and readers

  @Test(.behaviour("A-FM-37"))
  func `a reader keeps no writer out`() throws {
    try withLibrary { url, database in
      let other = try Database(at: url, .init(lockTimeout: .zero))
      try database.read { db in
        // The view is taken by the first statement.
        let before = try db.value("SELECT count(*) FROM book") as Int?
        try Self.add("Dune", to: other)
        let after = try db.value("SELECT count(*) FROM book") as Int?
        #expect(before == 0)
        #expect(after == 0)
      }
      #expect(try Self.count(database) == 1)
    }
  }

  @Test(.behaviour("A-FM-37"))
  func `where the journal is no log a reader does, until it ends`() throws {
    try withLibrary { url, database in
      let copy = url.deletingLastPathComponent().appending(path: "copy.sqlite")
      try database.vacuum(into: copy)
      let reader = try Database(at: copy, .init(isReadOnly: true))
      try reader.read { db in
        let before = try db.value("SELECT count(*) FROM book") as Int?
        #expect(before == 0)
        let begin = ContinuousClock.now
        // To write, the journal is made a log first.
        let error = #expect(throws: StorageError.self) {
          try Database(at: copy, .init(lockTimeout: .milliseconds(50)))
        }
        #expect(error?.code == .locked)
        #expect((error?.underlying as? SQLiteError)?.code == 5)
        #expect(ContinuousClock.now - begin >= .milliseconds(40))
      }
      try Self.add("Emma", to: try Database(at: copy))
      let titles = try reader.read { db in
        try db.query("SELECT title FROM book") { row in try row[0] as String }
      }
      #expect(titles == ["Emma"])
    }
  }

  @Test(.behaviour("A-FM-37"))
  func `in memory all wait for all, since there is one connection`() throws {
    let database = try Database.inMemory(.init(lockTimeout: .milliseconds(20)))
    try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
    try database.read { _ in
      let result = Library.elsewhere { try Self.add("Dune", to: database) }.take()
      let error = #expect(throws: StorageError.self) { try result?.get() }
      #expect(error?.code == .locked)
    }
    let result = Library.elsewhere { try Self.add("Emma", to: database) }.take()
    try result?.get()
    #expect(try Self.count(database) == 1)
  }

  // MARK: The time

  @Test(.behaviour("A-FM-38", "A-WC-22"), arguments: [-1, 0, 30, 300])
  func `each database waits as long as it was opened to`(milliseconds: Int64) throws {
    try withLibrary { url, database in
      let timeout = Duration.milliseconds(milliseconds)
      var options = DatabaseOptions(lockTimeout: timeout)
      let other = try Database(at: url, options)
      // What is said later concerns what is opened later.
      options.lockTimeout = .seconds(3_600)
      try database.write { _ in
        let begin = ContinuousClock.now
        let error = #expect(throws: StorageError.self) { try Self.add("Dune", to: other) }
        let waited = ContinuousClock.now - begin
        #expect(error?.code == .locked)
        #expect((error?.underlying as? SQLiteError)?.code == 5)
        #expect(waited >= timeout - .milliseconds(1))
        #expect(waited < .seconds(60))
      }
      try Self.add("Emma", to: other)
      #expect(try Self.count(other) == 1)
    }
  }

  @Test(.behaviour("A-FM-38"))
  func `a time that is longer than anybody lives is no harm`() throws {
    try withLibrary { url, database in
      let other = try Database(at: url, .init(lockTimeout: .seconds(Int64.max)))
      let waiting = try database.write { _ in
        let waiting = Library.elsewhere { try Self.add("Dune", to: other) }
        let second = Library.elsewhere { try Self.add("Emma", to: other) }
        Thread.sleep(forTimeInterval: 0.02)
        return [waiting, second]
      }
      for result in waiting { try result.take()?.get() }
      #expect(try Self.count(database) == 2)
    }
  }

  @Test(.behaviour("A-FM-38"))
  func `without a time to wait a locked database opens or says that it is locked`() throws {
    try withLibrary { url, database in
      for lock in TransactionLock.allCases {
        try database.write(lock) { _ in
          let other = try Database(at: url, .init(lockTimeout: .zero))
          #expect(try Self.count(other) == 0)
        }
      }
      let new = url.deletingLastPathComponent().appending(path: "rollback.sqlite")
      let first = try OtherProgram(new)
      try first.run("CREATE TABLE book(title TEXT); BEGIN EXCLUSIVE")
      // The journal is to become a log, which nobody can make of it now.
      let error = #expect(throws: StorageError.self) {
        try Database(at: new, .init(lockTimeout: .zero))
      }
      #expect(error?.code == .locked)
      try first.run("COMMIT")
      let other = try Database(at: new, .init(lockTimeout: .zero))
      try other.write { _ in }
    }
  }

  // MARK: Coming to one's turn

  @Test(.behaviour("A-WC-22"), arguments: [true, false])
  func `a writer that waits gets through when the other one ends`(isOwn: Bool) throws {
    try withLibrary { url, database in
      let other = isOwn ? database : try Database(at: url)
      let isInside = Atomic<Bool>(false)
      let waiting = try database.write { db in
        let waiting = Library.elsewhere {
          try other.write { db in
            isInside.store(true, ordering: .sequentiallyConsistent)
            return try db.value("SELECT count(*) FROM book") as Int?
          }
        }
        Thread.sleep(forTimeInterval: 0.05)
        let isTooEarly = isInside.load(ordering: .sequentiallyConsistent)
        #expect(!isTooEarly)
        try db.execute("INSERT INTO book VALUES ('Dune')")
        return waiting
      }
      #expect(try waiting.take()?.get() == 1)
    }
  }

  @Test(.behaviour("A-WC-22"))
  func `a writer that waits too long for one of its own database is told`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url, .init(lockTimeout: .milliseconds(20)))
      try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        let result = Library.elsewhere { try Self.add("Dune", to: database) }.take()
        let error = #expect(throws: StorageError.self) { try result?.get() }
        #expect(error?.code == .locked)
      }
      try Self.add("Emma", to: database)
      #expect(try Self.count(database) == 1)
    }
  }

  @Test(.behaviour("A-WC-22"), arguments: [true, false])
  func `those who write without pause starve nobody, on whatever thread`(isOwn: Bool) throws {
    try withLibrary { url, database in
      let other = isOwn ? database : try Database(at: url)
      let isOver = Atomic<Bool>(false)
      let eager = (0..<3).map { _ in
        Library.elsewhere {
          var count = 0
          repeat {
            try Self.add("eager", to: database)
            count += 1
          } while !isOver.load(ordering: .relaxed)
          return count
        }
      }
      // None of these throws: each comes to its turn within the usual time.
      for _ in 0..<20 { try Self.add("patient", to: other) }
      isOver.store(true, ordering: .relaxed)
      var total = 20
      for writer in eager { total += try writer.take()?.get() ?? 0 }
      #expect(try Self.count(database) == total)
    }
  }
}
