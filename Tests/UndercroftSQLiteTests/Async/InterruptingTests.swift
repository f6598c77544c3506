import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite(.timeLimit(.hangLimit)) struct InterruptingTests {
  private static let endless: SQL =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

  @Test(.timeLimit(.hangLimit), arguments: [true, false])
  func `interrupting a database ends and rolls back a synchronous write of another thread`(
    isWriting: Bool
  )
    throws
  {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      try Library.fill(database)
      let outcome = inBackground {
        if isWriting {
          try database.write { db in
            try Library.add(1, in: db)
            _ = try db.fetchAll(Self.endless) { _ in }
          }
        } else {
          try database.read { db in _ = try db.fetchAll(Self.endless) { _ in } }
        }
      }

      // The call may not have begun yet, so one interruption is not enough.
      while !outcome.isFulfilled {
        database.interrupt()
        usleep(1_000)
      }

      let error = #expect(throws: StorageError.self) { try outcome.wait()?.get() }
      #expect(error?.code == .interrupted)
      #expect(try Library.count(database) == 3)
      try database.write { db in try Library.add(1, in: db) }
      #expect(try Library.count(database) == 4)
    }
  }

  @Test(.timeLimit(.hangLimit))
  func `despite concurrent interruptions, exactly the writes that do not throw are committed`()
    throws
  {
    struct LibraryClosed: Error {}
    let database = try Database.inMemory()
    try database.write { db in try db.execute("CREATE TABLE loan (id INTEGER PRIMARY KEY)") }
    let registration = database.intercept(TableInterceptor(after: { _ in }))
    defer { registration.cancel() }
    let isOver = Mutex(false)
    let end = inBackground {
      while !isOver.withLock({ $0 }) {
        database.interrupt()
        usleep(.random(in: 0..<20))
      }
    }

    var acknowledged: [Int] = []
    for id in 0..<20_000 {
      do {
        try database.write { db in
          do {
            try db.forEach("INSERT INTO loan VALUES (\(id)) RETURNING id") { _ in
              throw LibraryClosed()
            }
          } catch is LibraryClosed {}
        }
        acknowledged.append(id)
      } catch let error as StorageError {
        #expect(error.code == .interrupted || error.code == .misuse)
      }
    }
    isOver.withLock { $0 = true }
    try end.wait()?.get()

    #expect(!acknowledged.isEmpty)
    #expect(
      try database.fetchAll("SELECT id FROM loan ORDER BY id") { try $0[0] as Int } == acknowledged)
  }

  /// Runs in a separate process, because tasks run on the shared pool as well.
  ///
  /// The first interruption arrives while a savepoint is rolled back. No interruption affects that,
  /// so a later one has to end the query.
  @Test(.timeLimit(.hangLimit))
  func `a cancelled call ends even if all threads of the global dispatch queue are blocked`() async
  {
    await #expect(processExitsWith: .success) {
      struct Refusal: Error {}
      let directory = FileManager.default.temporaryDirectory
        .appending(path: "undercroft-sqlite-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: directory) }
      #expect(RawConnections.record())
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      let (started, resume, ended) = (Promise<Bool>(), Promise<Bool>(), DispatchSemaphore(value: 0))
      let task = Task {
        try await database.async.write { db in
          defer { ended.signal() }
          // Returns one row and then runs endlessly.
          try db.forEach(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT i FROM n WHERE i = 1
            """
          ) { _ in
            started.fulfill(true)
            _ = resume.wait()
            try? db.transaction { _ in throw Refusal() }
          }
        }
      }
      let hook = StatementHook(
        "ROLLBACK TO undercroft", on: RawConnections.all(in: directory), limit: 1
      ) { _ in task.cancel() }
      _ = started.wait()
      let never = DispatchSemaphore(value: 0)
      for _ in 0..<2_000 { DispatchQueue.global().async { never.wait() } }
      resume.fulfill(true)

      #expect(ended.wait(timeout: .now() + 60) == .success)
      #expect(hook.runCount == 1)
    }
  }

  private enum Reader { @TaskLocal static var name = "nobody" }

  @Test
  func
    `the closure of an asynchronous call has the task-local values and cancellation of its task`()
    async throws
  {
    let database = try Database.inMemory()
    let names = try await Reader.$name.withValue("Emma") {
      [
        try await database.async.read { _ in Reader.name },
        try await database.async.write { _ in Reader.name },
      ]
    }
    #expect(names == ["Emma", "Emma"])

    let started = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await database.async.write { _ in
        started.continuation.yield()
        while !Task.isCancelled { usleep(1_000) }
      }
    }
    for await _ in started.stream { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test
  func `if tasks are cancelled, each waiting write commits once or throws CancellationError`()
    async throws
  {
    let database = try Database.inMemory()
    try await database.async.execute("CREATE TABLE book(title TEXT)")
    let (held, free) = (Promise<Bool>(), Promise<Bool>())
    let first = Task {
      try await database.async.write { _ in
        held.fulfill(true)
        _ = free.wait()
      }
    }
    #expect(try await blocking { held.wait() } == true)

    let tasks = (0..<5_000).map { _ in
      Task { () -> Bool in
        do {
          try await database.async.execute("INSERT INTO book VALUES ('Emma')")
          return true
        } catch is CancellationError {
          return false
        }
      }
    }
    for (number, task) in tasks.enumerated() where !number.isMultiple(of: 10) { task.cancel() }
    free.fulfill(true)
    try await first.value
    var served = 0
    for task in tasks {
      if try await task.value { served += 1 }
    }

    #expect(served >= 500)
    let count = try await database.async.fetchValue("SELECT count(*) FROM book", as: Int.self)
    #expect(count == served)
  }
}
