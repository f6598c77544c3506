import BehaviourTrait
import Dispatch
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct LockingTests {
  @Test(.behaviour("A-WC-22"))
  func `a write waits while another connection writes, and concurrent writes all succeed`()
    async throws
  {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "undercroft-sqlite-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let url = directory.appending(path: "library.sqlite")
    let first = try Database(at: url, .init(lockTimeout: .hangLimit))
    let second = try Database(at: url, .init(lockTimeout: .hangLimit))
    try first.write { db in try db.execute("CREATE TABLE loan(number INTEGER)") }
    // Each connection writes while the other one wants to write as well.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for database in [first, second] {
        group.addTask {
          for number in 0..<100 {
            try database.write { db in try db.execute("INSERT INTO loan VALUES (\(number))") }
          }
        }
      }
      try await group.waitForAll()
    }
    let count = try first.read { db in
      try db.fetchOne("SELECT count(*) FROM loan") { row in try row[0] as Int }
    }

    #expect(count == 200)
  }

  @Test(.behaviour("A-WC-22"))
  func `waiting for a lock throws a locked error after the lock timeout`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let first = try Database(at: url)
      let second = try Database(at: url, .init(lockTimeout: .milliseconds(50)))
      try first.write { db in
        try db.execute("CREATE TABLE loan(number INTEGER)")
        let clock = ContinuousClock()
        // On a busy machine a single wait may be long. All of them are long only if the timeout is
        // ignored.
        let isSoon = (0..<20).contains { _ in
          let begin = clock.now
          let error = #expect(throws: StorageError.self) { try second.write { _ in } }
          #expect(error?.code == .locked)
          let waited = clock.now - begin
          #expect(waited >= .milliseconds(40))
          return waited < .seconds(4)
        }
        #expect(isSoon)
        // Readers see the last committed state without waiting.
        let tables = try second.read { db in
          try db.fetchAll("SELECT name FROM sqlite_schema") { row in try row[0] as String }
        }
        #expect(tables == [])
      }
      try second.write { db in try db.execute("INSERT INTO loan VALUES (1)") }
    }
  }

  @Test func `a read sees one snapshot from its first statement to its end`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let first = try Database(at: url)
      let second = try Database(at: url)
      try first.write { db in try db.execute("CREATE TABLE loan(number INTEGER)") }
      try first.read { db in
        let count: SQL = "SELECT count(*) FROM loan"
        #expect(try db.fetchOne(count) { row in try row[0] as Int } == 0)
        try second.write { db in try db.execute("INSERT INTO loan VALUES (1)") }
        #expect(try db.fetchOne(count) { row in try row[0] as Int } == 0)
      }
    }
  }

  @Test func `concurrent tasks can create and open the same database`() async throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "undercroft-sqlite-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let url = directory.appending(path: "deep/library.sqlite")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          try SQLiteBackend(at: url).apply([.set("loan/\(number)", Data([UInt8(number)]))])
        }
      }
      try await group.waitForAll()
    }

    #expect(try SQLiteBackend(at: url).keys(withPrefix: "loan/").count == 16)
  }

  @Test
  func `if a read blocks a write in an in-memory database, the error cites the single connection`()
    throws
  {
    let database = try Database.inMemory(.init(lockTimeout: .milliseconds(20)))
    let result = try database.read { _ in
      inBackground { try database.execute("CREATE TABLE book(title TEXT)") }.wait()
    }

    let error = #expect(throws: StorageError.self) { try result?.get() }
    #expect(error?.code == .locked)
    #expect(error?.message.contains("single connection") == true)
  }

  @Test(arguments: [true, false])
  func `a transaction inside the row closure of a query waits for the lock of another connection`(
    commits: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try Library.fill(database)
      let other = try Database(at: url)
      let isLocked = DispatchSemaphore(value: 0)
      let written = inBackground {
        try? other.write { db in
          try Library.add(1, in: db)
          isLocked.signal()
          Thread.sleep(forTimeInterval: 0.1)
          if !commits { throw CancellationError() }
        }
      }

      var failure: (any Error)?
      do {
        try database.writeWithoutTransaction { db in
          try db.forEach("SELECT id FROM book LIMIT 1") { _ in
            isLocked.wait()
            try db.transaction { try Library.add(1, in: $0) }
          }
        }
      } catch {
        failure = error
      }
      try written.wait()?.get()

      // If the other connection commits, the query reads an old snapshot, which cannot be written.
      let cause = (failure as? StorageError)?.underlying as? SQLiteError
      #expect(cause?.code == (commits ? .busySnapshot : nil), "\(failure as Any)")
      #expect(try Library.count(database) == 4)
    }
  }
}
