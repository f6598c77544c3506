import Foundation
import Synchronization
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct InterruptingTests {
  private static let endless: SQL =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

  @Test(.timeLimit(.minutes(15)), arguments: [true, false])
  func `interrupt ends a synchronous call of another thread and rolls it back`(isWriting: Bool)
    throws
  {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      try Library.fill(database)
      let outcome = Library.elsewhere {
        if isWriting {
          try database.write { db in
            try Library.add(1, in: db)
            _ = try db.query(Self.endless) { _ in }
          }
        } else {
          try database.read { db in _ = try db.query(Self.endless) { _ in } }
        }
      }

      // The call may not have begun yet, so one interruption is not enough.
      while outcome.isEmpty {
        database.interrupt()
        usleep(1_000)
      }

      let error = #expect(throws: StorageError.self) { try outcome.take()?.get() }
      #expect(error?.code == .interrupted)
      #expect(try Library.count(database) == 3)
      try database.write { db in try Library.add(1, in: db) }
      #expect(try Library.count(database) == 4)
    }
  }

  @Test(.timeLimit(.minutes(15)))
  func `an interruption does not undo a statement of a successful write whose row closure threw`()
    throws
  {
    struct LibraryClosed: Error {}
    let database = try Database.inMemory()
    try database.write { db in try db.execute("CREATE TABLE loan (id INTEGER PRIMARY KEY)") }
    let registration = database.intercept(TableInterceptor(after: { _ in }))
    defer { registration.cancel() }
    let isOver = Mutex(false)
    let end = Library.elsewhere {
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
    try end.take()?.get()

    #expect(!acknowledged.isEmpty)
    #expect(
      try database.query("SELECT id FROM loan ORDER BY id") { try $0[0] as Int } == acknowledged)
  }

  /// Runs in a separate process, because tasks run on the shared pool as well.
  ///
  /// The first interruption arrives while a savepoint is rolled back. No interruption affects that,
  /// so a later one has to end the query.
  @Test(.timeLimit(.minutes(15)))
  func `a cancelled call ends although all threads of the shared dispatch pool are blocked`() async
  {
    await #expect(processExitsWith: .success) {
      struct Refusal: Error {}
      let directory = FileManager.default.temporaryDirectory
        .appending(path: "undercroft-sqlite-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: directory) }
      #expect(RawConnections.record())
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      let (started, goOn, ended) = (Mailbox<Bool>(), Mailbox<Bool>(), DispatchSemaphore(value: 0))
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
            started.put(true)
            _ = goOn.take()
            try? db.transaction { _ in throw Refusal() }
          }
        }
      }
      let hook = StatementHook(
        "ROLLBACK TO undercroft", on: RawConnections.all(in: directory), limit: 1
      ) { _ in task.cancel() }
      _ = started.take()
      let never = DispatchSemaphore(value: 0)
      for _ in 0..<2_000 { DispatchQueue.global().async { never.wait() } }
      goOn.put(true)

      #expect(ended.wait(timeout: .now() + 60) == .success)
      #expect(hook.runCount == 1)
    }
  }

  private enum Reader { @TaskLocal static var name = "nobody" }

  @Test
  func `the closure of an asynchronous call sees the task's local values and its cancellation`()
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

  @Test func `each of thousands of waiting calls is either executed or cancelled`() async throws {
    let database = try Database.inMemory()
    try await database.async.execute("CREATE TABLE book(title TEXT)")
    let (held, free) = (Mailbox<Bool>(), Mailbox<Bool>())
    let first = Task {
      try await database.async.write { _ in
        held.put(true)
        _ = free.take()
      }
    }
    #expect(try await blocking { held.take() } == true)

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
    free.put(true)
    try await first.value
    var served = 0
    for task in tasks {
      if try await task.value { served += 1 }
    }

    #expect(served >= 500)
    let count = try await database.async.value("SELECT count(*) FROM book", as: Int.self)
    #expect(count == served)
  }
}
