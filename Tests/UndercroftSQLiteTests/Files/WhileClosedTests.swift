import BehaviourTrait
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct WhileClosedTests {
  private struct Refusal: Error, Equatable { let shelf: Int }

  private func withLibrary(
    _ timeout: Duration = .hangLimit, _ body: (Database, URL) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let database = try Database(
        at: directory.appending(path: "library.sqlite"),
        DatabaseOptions(lockTimeout: timeout, readerCount: 3))
      try Library.fill(database)
      try body(database, directory)
    }
  }

  @Test(.behaviour("A-FM-41"), .behaviour("A-WC-03"), .behaviour("A-CT-C04"))
  func `a database can be used again after whileClosed ends`() throws {
    try withLibrary { database, directory in
      #expect(database.isOpen)
      let result = try database.whileClosed { _ in
        #expect(!database.isOpen)
        let names = try Library.names(in: directory)
        #expect(names == ["library.sqlite"])
        return 7
      }
      #expect(result == 7)
      #expect(database.isOpen)
      #expect(try Library.count(database) == 3)
      try database.write { db in try Library.add(1, in: db) }
      #expect(try Library.count(database) == 4)
    }
  }

  @Test(.behaviour("A-FM-41"), .behaviour("A-WC-03"))
  func `a database closed before whileClosed remains closed, and a new Database can open the file`()
    throws
  {
    try withLibrary { database, _ in
      try database.close()
      #expect(!database.isOpen)
      let size = try database.whileClosed { files in try files.byteCount() }
      #expect(size > 0)
      #expect(!database.isOpen)
      let error = #expect(throws: StorageError.self) { try Library.count(database) }
      #expect(error?.code == .misuse)
      let again = try Database(at: try #require(database.location))
      #expect(again.isOpen)
      #expect(try Library.count(again) == 3)
    }
  }

  @Test(.behaviour("A-WC-04"))
  func `whileClosed waits for active calls, and later calls wait until whileClosed ends`() throws {
    try withLibrary { database, _ in
      let (inside, bell) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let order = Mutex<[String]>([])
      let users = [true, false].map { isWriter in
        inBackground {
          let body = {
            inside.signal()
            bell.wait()
            order.withLock { $0.append("first") }
          }
          if isWriter {
            try database.write { _ in body() }
          } else {
            try database.read { _ in body() }
          }
        }
      }
      for _ in users { inside.wait() }
      let (closed, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let holder = inBackground {
        try database.whileClosed { _ in
          order.withLock { $0.append("closed") }
          closed.signal()
          second.wait()
          order.withLock { $0.append("open") }
        }
      }
      #expect(closed.wait(timeout: .now() + 0.05) == .timedOut)

      for _ in users { bell.signal() }
      for user in users { _ = try user.wait()?.get() }
      closed.wait()
      let late = (0..<6).map { number in
        inBackground {
          if number % 2 == 0 {
            try database.write { _ in order.withLock { $0.append("late") } }
          } else {
            try database.read { _ in order.withLock { $0.append("late") } }
          }
        }
      }
      Thread.sleep(forTimeInterval: 0.05)
      #expect(order.withLock { $0 } == ["first", "first", "closed"])

      second.signal()
      for user in late { _ = try user.wait()?.get() }
      _ = try holder.wait()?.get()
      let expected = ["first", "first", "closed", "open"] + [String](repeating: "late", count: 6)
      #expect(order.withLock { $0 } == expected)
    }
  }

  @Test(.behaviour("A-WC-04"))
  func `whileClosed can be nested and rethrows the error of its closure`() throws {
    try withLibrary { database, _ in
      #expect(throws: Refusal(shelf: 2)) {
        try database.whileClosed { _ in
          try database.whileClosed { _ in #expect(!database.isOpen) }
          #expect(!database.isOpen)
          throw Refusal(shelf: 2)
        }
      }
      let count = try Library.count(database)
      #expect(count == 3)
    }
  }

  @Test
  func `using a database inside whileClosed, or whileClosed inside a call, throws a misuse error`()
    throws
  {
    try withLibrary { database, _ in
      let calls: [() throws -> Void] = [
        { _ = try Library.count(database) }, { try database.write { _ in } },
        { try database.checkpoint() }, { try database.close() }, { try database.vacuum() },
      ]
      try database.whileClosed { _ in
        for call in calls {
          let error = #expect(throws: StorageError.self) { try call() }
          #expect(error?.code == .misuse)
        }
      }
      for isWrite in [false, true] {
        let error = #expect(throws: StorageError.self) {
          let inner = { try database.whileClosed { _ in () } }
          if isWrite {
            try database.write { _ in try inner() }
          } else {
            try database.read { _ in try inner() }
          }
        }
        #expect(error?.code == .misuse)
      }
      let memory = try Database.inMemory()

      let error = #expect(throws: StorageError.self) { try memory.whileClosed { _ in } }
      #expect(error?.code == .misuse)
      #expect(try Library.count(database) == 3)
    }
  }

  @Test
  func `a call that times out while waiting for whileClosed throws an error naming whileClosed`()
    throws
  {
    try withLibrary(.milliseconds(30)) { database, _ in
      try database.whileClosed { _ in
        for isWrite in [true, false] {
          let result = inBackground {
            if isWrite { try database.write { _ in } } else { try database.read { _ in } }
          }.wait()
          let error = #expect(throws: StorageError.self) { try result?.get() }
          #expect(error?.code == .locked)
          #expect(error?.message.contains("another thread is still inside whileClosed") == true)
        }
      }

      #expect(try Library.count(database) == 3)
    }
  }

  @Test func `observers receive one external change after nested whileClosed calls`() throws {
    try withLibrary { database, directory in
      let origins = Mutex<[Database.Origin]>([])
      let registration = try database.observe(Database.Region.table("book")) { changes in
        origins.withLock { $0.append(changes.origin) }
      }
      try database.whileClosed { _ in try database.whileClosed { _ in () } }
      #expect(origins.withLock { $0 } == [.external])
      try database.write { db in try Library.add(1, in: db) }
      #expect(origins.withLock { $0.contains(.application) })
      registration.cancel()
    }
  }

  @Test(.behaviour("A-FM-07"))
  func `a read or write after whileClosed throws without running its closure if reopening fails`()
    throws
  {
    try withLibrary { database, directory in
      let movedURL = directory.appending(path: "kept.sqlite")
      try database.whileClosed { files in
        try files.move(to: movedURL)
        try Data("a shopping list instead of a database".utf8).write(to: files.location)
      }
      for isWrite in [true, false] {
        let error = #expect(throws: StorageError.self) {
          if isWrite {
            try database.write { _ in Issue.record("run") }
          } else {
            try database.read { _ in Issue.record("run") }
          }
        }
        #expect(error?.code == .corrupted)
      }
      // The database works once the cause is removed.
      try database.whileClosed { files in
        try files.remove()
        try DatabaseFiles(at: movedURL).move(to: files.location)
      }

      #expect(try Library.count(database) == 3)
    }
  }

  @Test func `key-value entries can be read and written after the file was removed in whileClosed`()
    throws
  {
    try withTemporaryDirectory { directory in
      let backend = try SQLiteBackend(at: directory.appending(path: "library.sqlite"))
      try backend.apply([.set("theme", Data("dark".utf8))])
      try backend.database.whileClosed { files in try files.remove() }
      #expect(try backend.read("theme") == nil)
      try backend.apply([.set("theme", Data("light".utf8))])
      #expect(try backend.read("theme") == Data("light".utf8))
    }
  }

  @Test(.timeLimit(.hangLimit))
  func `concurrent writes are not lost while the database is repeatedly closed and reopened`()
    throws
  {
    try withLibrary { database, _ in
      let wrong = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 6) { thread in
        for number in 0..<40 {
          do {
            switch thread {
            case 0: try database.whileClosed { files in _ = try files.byteCount() }
            case 1, 2: try database.write { db in try Library.add(1, in: db) }
            default:
              if try Library.count(database) < 3 { wrong.withLock { $0.append("\(number)") } }
            }
          } catch {
            wrong.withLock { $0.append("\(error)") }
          }
        }
      }
      #expect(wrong.withLock { $0 } == [])

      let count = try Library.count(database)
      #expect(count == 83)
    }
  }

  /// A container of the database for objects that SQL functions capture.
  private final class DatabaseBox: Sendable {
    private let state = Mutex<Database?>(nil)
    var database: Database? { state.withLock { $0 } }
    func set(_ database: Database?) { state.withLock { $0 = database } }
  }

  /// An object that a SQL function captures, and that uses the database when the connection of the
  /// function is closed.
  private final class Catalogue: Sendable {
    private let database: Database
    private let outcome: Promise<Result<Int, any Error>>

    init(_ database: Database, _ outcome: Promise<Result<Int, any Error>>) {
      self.database = database
      self.outcome = outcome
    }

    func number() -> Int { 7 }

    deinit {
      outcome.fulfill(Result { try database.fetchValue("SELECT count(*) FROM book", as: Int.self) })
    }
  }

  @Test(arguments: [true, false])
  func `database calls throw in the deinitialiser of an object that closing the database releases`(
    isForGood: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let outcome = Promise<Result<Int, any Error>>()
      let box = DatabaseBox()
      let database = try Database(
        at: directory.appending(path: "library.sqlite"),
        DatabaseOptions(setUp: { db in
          guard let database = box.database else { return }
          let catalogue = Catalogue(database, outcome)
          try db.add(SQLFunction("number", argumentCount: 0) { _ in catalogue.number() })
        }))
      try Library.fill(database)
      box.set(database)
      try database.whileClosed { _ in () }
      try database.write { db in
        let number = try db.fetchValue("SELECT number()", as: Int.self)
        #expect(number == 7)
      }
      box.set(nil)

      if isForGood { try database.close() } else { try database.whileClosed { _ in () } }

      let error = #expect(throws: StorageError.self) { _ = try outcome.wait()?.get() }
      #expect(error?.code == .misuse)
      if !isForGood { #expect(try Library.count(database) == 3) }
    }
  }
}
