import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite(.timeLimit(.hangLimit)) struct AsyncDatabaseTests {
  private struct Refusal: Error {}

  /// A query that never ends.
  private static let endless: SQL =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

  private func library() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
    return database
  }

  private func count(_ database: Database) throws -> Int? {
    try database.read { db in try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] } }
  }

  @Test(.behaviour("A-CT-C03"))
  func `an asynchronous read or write returns the result of its closure`()
    async throws
  {
    let database = try library()
    let id = try await database.async.write { db in
      try db.execute("INSERT INTO book VALUES ('Dune')")
      return db.lastInsertedRowID
    }
    #expect(id == 1)
    #expect(try count(database) == 1)

    let titles = try await database.async.read { db in
      try db.fetchAll("SELECT title FROM book") { row in try row[0] as String }
    }
    #expect(titles == ["Dune"])
    try await database.async.writeWithoutTransaction { db in try db.execute("VACUUM") }
  }

  @Test
  func `an asynchronous execute(_:) returns the number of changed rows as a discardable result`()
    async throws
  {
    let database = try library()
    let insert: SQL = "INSERT INTO book VALUES ('Dune')"
    let nothing: @Sendable () async throws -> Void = { try await database.async.execute(insert) }
    try await nothing()
    let inserted = try await database.async.execute(insert)

    #expect(inserted == 1)
    #expect(try count(database) == 2)
  }

  @Test func `an error thrown by the write closure reaches the caller and rolls back the write`()
    async throws
  {
    let database = try library()
    await #expect(throws: Refusal.self) {
      try await database.async.write { db in
        try db.execute("INSERT INTO book VALUES ('Dune')")
        throw Refusal()
      }
    }
    #expect(try count(database) == 0)
  }

  @Test(.behaviour("A-WC-24"), .timeLimit(.hangLimit), arguments: [true, false])
  func `a cancelled task interrupts its statement, and the connection stays usable`(
    writing: Bool
  ) async throws {
    let database = try library()
    let started = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      if writing {
        try await database.async.write { db in
          try db.execute("INSERT INTO book VALUES ('Dune')")
          started.continuation.yield()
          _ = try db.fetchAll(Self.endless) { _ in }
        }
      } else {
        try await database.async.read { db in
          started.continuation.yield()
          _ = try db.fetchAll(Self.endless) { _ in }
        }
      }
    }
    for await _ in started.stream { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try count(database) == 0)

    try await database.async.write { db in try db.execute("INSERT INTO book VALUES ('Emma')") }
    #expect(try count(database) == 1)
  }

  @Test(.timeLimit(.hangLimit))
  func `cancelling a task ends a loop of short statements and rolls back the write`() async throws {
    let database = try library()
    let started = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await database.async.write { db in
        started.continuation.yield()
        try db.prepare("INSERT INTO book VALUES ('Dune')") { insert in
          while true { try insert.run() }
        }
      }
    }
    for await _ in started.stream { break }
    task.cancel()

    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try count(database) == 0)
  }

  @Test func `a write in an already cancelled task throws and changes nothing`() async throws {
    let database = try library()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await database.async.write { db in try db.execute("INSERT INTO book VALUES ('Dune')")
      }
    }

    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try count(database) == 0)
  }

  @Test func `cancelling one read does not cancel other reads`() async throws {
    try await withLibraryFile { database in
      let started = AsyncStream.makeStream(of: Void.self)
      let endless = Task {
        try await database.async.read { db in
          started.continuation.yield()
          _ = try db.fetchAll(Self.endless) { _ in }
        }
      }
      for await _ in started.stream { break }
      try await withThrowingTaskGroup(of: Int?.self) { group in
        for _ in 0..<100 {
          group.addTask {
            try await database.async.read { db in
              try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] as Int }
            }
          }
        }
        endless.cancel()
        for try await count in group { #expect(count == 0) }
      }

      await #expect(throws: CancellationError.self) { try await endless.value }
    }
  }

  @Test(.timeLimit(.hangLimit))
  func `a cancelled write is rolled back even if its closure catches the interruption`()
    async throws
  {
    let database = try library()
    let started = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await database.async.write { db in
        try db.execute("INSERT INTO book VALUES ('Dune')")
        started.continuation.yield()
        _ = try? db.fetchAll(Self.endless) { _ in }
      }
    }
    for await _ in started.stream { break }
    task.cancel()

    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try count(database) == 0)
  }

  @Test func `an asynchronous call can wait for a connection longer than the lock timeout`()
    async throws
  {
    try await withLibraryFile(DatabaseOptions(lockTimeout: .milliseconds(20), readerCount: 2)) {
      database in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<60 {
          group.addTask {
            if number.isMultiple(of: 2) {
              try await database.async.read { _ in _ = usleep(5_000) }
            } else {
              try await database.async.write { db in
                try db.execute("INSERT INTO book VALUES ('Dune')")
                _ = usleep(5_000)
              }
            }
          }
        }
        try await group.waitForAll()
      }

      #expect(try count(database) == 30)
    }
  }

  @Test(.timeLimit(.hangLimit))
  func `a cancelled asynchronous write stops waiting for the writer connection`() async throws {
    try await withLibraryFile { database in
      let started = AsyncStream.makeStream(of: Void.self)
      let long = Task {
        try await database.async.write { db in
          started.continuation.yield()
          _ = try db.fetchAll(Self.endless) { _ in }
        }
      }
      for await _ in started.stream { break }
      let waiting = Task { try await database.async.write { _ in } }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }

      long.cancel()
      await #expect(throws: CancellationError.self) { try await long.value }

      try await database.async.write { db in try db.execute("INSERT INTO book VALUES ('Emma')")
      }
      #expect(try count(database) == 1)
    }
  }

  @Test(.timeLimit(.hangLimit))
  func `a cancelled asynchronous write stops waiting for another connection's lock`() async throws {
    try await withLibraryFile(DatabaseOptions(lockTimeout: .seconds(3_600))) { database in
      let url = try #require(database.location)
      let other = try Database(at: url)
      let (held, free) = (Promise<Bool>(), Promise<Bool>())
      Thread {
        try? other.write { _ in
          held.fulfill(true)
          _ = free.wait()
        }
      }.start()
      #expect(try await blocking { held.wait() } == true)
      let waiting = Task { try await database.async.write { _ in } }
      try await Task.sleep(for: .milliseconds(20))
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      free.fulfill(true)
    }
  }

  @Test(.timeLimit(.hangLimit), arguments: [true, false])
  func `a cancelled asynchronous call stops waiting for a synchronous call, and later calls run`(
    isWriting: Bool
  ) async throws {
    let options = DatabaseOptions(lockTimeout: .seconds(3_600), readerCount: 1)
    try await withLibraryFile(options) { database in
      let (held, free) = (Promise<Bool>(), DispatchSemaphore(value: 0))
      let outcome = inBackground { () -> Bool in
        let hold = {
          held.fulfill(true)
          return free.wait(timeout: .hangLimit) == .success
        }
        return isWriting ? try database.write { _ in hold() } : try database.read { _ in hold() }
      }
      #expect(try await blocking { held.wait() } == true)

      let waiting = Task {
        if isWriting {
          try await database.async.write { _ in }
        } else {
          try await database.async.read { _ in }
        }
      }
      try await Task.sleep(for: .milliseconds(20))
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      free.signal()

      // The synchronous call was still running when the cancelled one had ended.
      #expect(try await blocking { try outcome.wait()?.get() } == true)
      try await database.async.write { db in try db.execute("INSERT INTO book VALUES ('Emma')") }
      #expect(try count(database) == 1)
    }
  }

  @Test(.timeLimit(.hangLimit), arguments: [true, false])
  func `a cancelled call stops waiting to open a file that another process has locked`(
    isWriting: Bool
  ) async throws {
    #expect(RawConnections.record())
    // Longer than the time limit of the test.
    let options = DatabaseOptions(lockTimeout: .seconds(3_600), readerCount: 1)
    try await withLibraryFile(options) { database in
      let url = try #require(database.location)
      try database.whileClosed { _ in }
      let holder = try OtherProgram(url)
      try holder.run("PRAGMA journal_mode = DELETE")
      try holder.run("BEGIN EXCLUSIVE")
      let before = RawConnections.count(at: url)
      let waiting = Task {
        if isWriting {
          try await database.async.write { _ in }
        } else {
          _ = try await database.async.read { db in try db.fetchValue("SELECT 1") as Int }
        }
      }
      while RawConnections.count(at: url) == before { try await Task.sleep(for: .milliseconds(1)) }

      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }

      try holder.run("COMMIT")
      try await database.async.write { db in try db.execute("INSERT INTO book VALUES ('Emma')") }
      #expect(try count(database) == 1)
    }
  }

  @Test(.timeLimit(.hangLimit), arguments: [true, false])
  func `an asynchronous call can wait for an in-memory database longer than the lock timeout`(
    isFirstWriting: Bool
  ) async throws {
    let database = try Database.inMemory(DatabaseOptions(lockTimeout: .milliseconds(1)))
    let (begun, mayEnd) = (Promise<Bool>(), Promise<Bool>())
    let wait: @Sendable (Connection) throws -> Int = { _ in
      begun.fulfill(true)
      _ = mayEnd.wait()
      return 1
    }
    let count: @Sendable (Connection) throws -> Int = { db in try db.fetchValue("SELECT 2") }

    let first = Task {
      isFirstWriting
        ? try await database.async.write(wait) : try await database.async.read(wait)
    }
    while !begun.isFulfilled { try await Task.sleep(for: .milliseconds(1)) }
    let second = Task {
      isFirstWriting
        ? try await database.async.read(count) : try await database.async.write(count)
    }
    try await Task.sleep(for: .milliseconds(200))
    mayEnd.fulfill(true)

    #expect(try await first.value == 1)
    #expect(try await second.value == 2)
  }

  private func withLibraryFile(
    _ options: DatabaseOptions = .init(), _ body: (Database) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"), options)
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      try await body(database)
    }
  }
}
