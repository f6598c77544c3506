import BehaviourTrait
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of several readers that run concurrently with one writer.
@Suite struct ReaderTests {
  private func withLibrary(
    _ options: DatabaseOptions = .init(), _ body: (Database) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"), options)
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      try body(database)
    }
  }

  private static func count(_ database: Database) throws -> Int {
    try database.read { db in
      try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] as Int } ?? -1
    }
  }

  private func onOwnThread(_ body: @escaping @Sendable () -> Void) -> DispatchGroup {
    let group = DispatchGroup()
    group.enter()
    Thread.detachNewThread {
      body()
      group.leave()
    }
    return group
  }

  @Test(.behaviour("A-WC-20"))
  func `readers are not blocked by a write in progress and do not see its changes`() throws {
    try withLibrary { database in
      try database.write { db in
        try db.execute("INSERT INTO book VALUES ('Dune')")
        let seen = Mutex<[Int?]>([])
        let threads = (0..<3).map { _ in
          onOwnThread {
            let count = try? Self.count(database)
            seen.withLock { $0.append(count) }
          }
        }
        for thread in threads { #expect(thread.wait(timeout: .hangLimit) == .success) }
        #expect(seen.withLock { $0 } == [0, 0, 0])
      }

      #expect(try Self.count(database) == 1)
    }
  }

  @Test func `a read uses one snapshot to its end despite a commit of another thread`() throws {
    try withLibrary { database in
      try database.read { db in
        let before = try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] as Int }
        let writer = onOwnThread {
          _ = try? database.write { db in try db.execute("INSERT INTO book VALUES ('Dune')") }
        }
        #expect(writer.wait(timeout: .hangLimit) == .success)
        let after = try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] as Int }
        #expect(before == 0)
        #expect(after == 0)
      }

      #expect(try Self.count(database) == 1)
    }
  }

  @Test(.behaviour("A-FM-42", "A-WC-20"))
  func `as many reads as readerCount run concurrently, and the next read waits`() throws {
    try withLibrary(DatabaseOptions(readerCount: 3)) { database in
      let (bell, arrived) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let threads = (0..<3).map { _ in
        onOwnThread {
          try? database.read { _ in
            arrived.signal()
            bell.wait()
          }
        }
      }
      for _ in 0..<3 { #expect(arrived.wait(timeout: .hangLimit) == .success) }
      let isIn = Mutex(false)
      let fourth = onOwnThread { try? database.read { _ in isIn.withLock { $0 = true } } }
      #expect(fourth.wait(timeout: .now() + 0.05) == .timedOut)
      #expect(isIn.withLock { !$0 })
      bell.signal()
      #expect(fourth.wait(timeout: .hangLimit) == .success)
      #expect(isIn.withLock { $0 })
      for _ in 0..<2 { bell.signal() }
      for thread in threads { #expect(thread.wait(timeout: .hangLimit) == .success) }
    }
  }

  @Test(.behaviour("A-FM-42"))
  func `a read that waits for a connection longer than the timeout throws a locked error`() throws {
    try withLibrary(DatabaseOptions(lockTimeout: .milliseconds(20), readerCount: 1)) { database in
      try database.read { _ in
        let codes = Mutex<[StorageError.Code?]>([])
        let other = onOwnThread {
          do { _ = try Self.count(database) } catch {
            codes.withLock { $0.append((error as? StorageError)?.code) }
          }
        }
        #expect(other.wait(timeout: .hangLimit) == .success)
        #expect(codes.withLock { $0 } == [.locked])
      }

      #expect(try Self.count(database) == 0)
    }
  }

  @Test(.behaviour("A-CT-C01", "A-FM-42"))
  func `a thousand concurrent reads of thirty thousand rows all succeed`() throws {
    try withLibrary { database in
      try database.write { db in
        try db.execute(
          """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
          INSERT INTO book SELECT 'book ' || i FROM n
          """)
      }
      let wrong = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 1_000) { _ in
        do {
          let count = try Self.count(database)
          if count != 30_000 { wrong.withLock { $0.append("\(count)") } }
        } catch {
          wrong.withLock { $0.append("\(error)") }
        }
      }

      #expect(wrong.withLock { $0 } == [])
    }
  }

  @Test(.behaviour("A-CT-C02"), .behaviour("A-FM-39"))
  func `concurrent writes of many threads are serialised and all committed`() throws {
    try withLibrary { database in
      let wrong = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for number in 0..<125 {
          do {
            try database.write { db in
              try db.execute("INSERT INTO book VALUES (\("\(thread)/\(number)"))")
            }
          } catch {
            wrong.withLock { $0.append("\(error)") }
          }
        }
      }
      #expect(wrong.withLock { $0 } == [])

      let count = try Self.count(database)
      #expect(count == 1_000)
    }
  }

  @Test(.behaviour("A-WC-05"))
  func `idle reader connections can be closed, and the next read opens a new reader`() throws {
    try withLibrary { database in
      #expect(try Self.count(database) == 0)
      try database.read { db in
        database.closeIdleReaders()
        let count = try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] as Int }
        #expect(count == 0)
      }
      database.closeIdleReaders()
      #expect(try Self.count(database) == 0)
    }
  }

  @Test func `closing a database waits for active reads, and later reads throw a misuse error`()
    throws
  {
    try withLibrary { database in
      let (inside, bell) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let reader = onOwnThread {
        try? database.read { _ in
          inside.signal()
          bell.wait()
        }
      }
      inside.wait()
      let isClosed = Mutex(false)
      let closing = onOwnThread {
        try? database.close()
        isClosed.withLock { $0 = true }
      }
      #expect(closing.wait(timeout: .now() + 0.05) == .timedOut)

      bell.signal()
      #expect(closing.wait(timeout: .hangLimit) == .success)
      #expect(reader.wait(timeout: .hangLimit) == .success)
      #expect(isClosed.withLock { $0 })
      let error = #expect(throws: StorageError.self) { try Self.count(database) }
      #expect(error?.code == .misuse)
    }
  }

  @Test func `closing the last connection removes the write-ahead log`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      do {
        let database = try Database(at: url)
        try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
        #expect(try Self.count(database) == 0)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)

      #expect(names == ["library.sqlite"])
    }
  }

  @Test func `using the database from its own set-up closure throws a misuse error`() throws {
    try withTemporaryDirectory { directory in
      let box = Mutex<Database?>(nil)
      defer { box.withLock { $0 = nil } }
      let options = DatabaseOptions(setUp: { _ in
        guard let database = box.withLock({ $0 }) else { return }
        try database.read { _ in }
      })
      let database = try Database(at: directory.appending(path: "library.sqlite"), options)
      box.withLock { $0 = database }
      let error = #expect(throws: StorageError.self) { try database.read { _ in } }
      #expect(error?.code == .misuse)

      try database.whileClosed { _ in }
      let other = #expect(throws: StorageError.self) { try database.write { _ in } }
      #expect(other?.code == .misuse)

      // The database works once the set-up closure no longer uses it.
      box.withLock { $0 = nil }
      try Library.fill(database)
      #expect(try Library.count(database) == 3)
    }
  }

  @Test func `a new reader throws if the database file was removed, and does not create the file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try Library.fill(database)
      try FileManager.default.removeItem(at: url)

      let error = #expect(throws: StorageError.self) { try Library.count(database) }
      #expect(error?.code == .unavailable)
      #expect(!FileManager.default.fileExists(atPath: url.path))
    }
  }
}
