import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of when observers and interceptors are notified of values that a storage saves inside a
/// transaction of its database.
@Suite struct NotificationInTransactionTests {
  private struct Refusal: Error {}

  /// A layer that writes every value to two databases and reads from the second one.
  private struct TwoDatabases: LayeredBackend {
    let (first, second): (SQLiteBackend, SQLiteBackend)

    var upstreams: [any StorageBackend] { [first, second] }
    var name: String { "two databases" }
    var location: URL? { nil }
    var capabilities: Capabilities { second.capabilities }

    func read(_ key: String) throws(StorageError) -> Data? { try second.read(key) }

    func apply(_ changes: [StorageChange]) throws(StorageError) {
      try first.apply(changes)
      try second.apply(changes)
    }

    func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
      try second.keys(withPrefix: prefix)
    }
  }

  @Test
  func `an interceptor's after closure is called after the commit and not after a rollback`()
    throws
  {
    try withStorage { (storage, database) throws in
      let gate = Gate(SQLiteBackend(database))
      let seen = Mutex<[String]>([])
      let read: @Sendable () throws -> Data? = { try gate.backend.read("theme") }
      let registration = gate.intercept(
        Interceptor(after: { _ in
          // Reads the committed value, because it runs on another thread.
          let value = (try? inBackground(read).wait()?.get()) ?? nil
          seen.withLock { $0.append(value.map { String(decoding: $0, as: UTF8.self) } ?? "none") }
        }))
      defer { registration.cancel() }

      try? database.write { _ in
        try gate.apply([.set("theme", Data("dark".utf8))])
        throw Refusal()
      }
      #expect(seen.withLock { $0 }.isEmpty)
      try database.write { _ in
        try gate.apply([.set("theme", Data("dark".utf8))])
        #expect(seen.withLock { $0 }.isEmpty)
      }

      #expect(seen.withLock { $0 } == ["dark"])
    }
  }

  @Test(arguments: [true, false])
  func `observers of a setting stored in two databases are notified after both transactions commit`(
    isFirstOutside: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let backends = try ["first", "second"].map {
        try SQLiteBackend(at: directory.appending(path: "\($0).sqlite"))
      }
      var storage = Storage()
      let layer = TwoDatabases(first: backends[0], second: backends[1])
      try storage.use(.backend(layer), for: .preference)
      try storage.save("light", for: .theme)
      #expect(storage[.theme] == "light")
      let databases = (isFirstOutside ? backends : backends.reversed()).map(\.database)
      let calls = Atomic<Int>(0)
      let registration = try storage.gate(for: .preference).observe(["theme"]) {
        calls.add(1, ordering: .relaxed)
      }

      try databases[0].write { _ in
        try databases[1].write { _ in try storage.save("dark", for: .theme) }
        let expected = isFirstOutside ? "dark" : "light"
        #expect(try storage.themeOnAnotherThread() == expected)
        #expect(calls.load(ordering: .relaxed) == 0)
      }

      #expect(try storage.themeOnAnotherThread() == "dark")
      #expect(calls.load(ordering: .relaxed) == 1)
      withExtendedLifetime(registration) {}
    }
  }

  @Test
  func `in writeWithoutTransaction, an interceptor's after closure receives only committed writes`()
    throws
  {
    try withStorage { (_, database) throws in
      let gate = Gate(SQLiteBackend(database))
      let names = Mutex<[String]>([])
      let registration = gate.intercept(
        Interceptor(after: { write in names.withLock { $0 += write.names } }))
      defer { registration.cancel() }

      #expect(throws: Refusal.self) {
        try database.writeWithoutTransaction { db in
          try db.transaction { _ in try gate.apply([.set("kept", Data())]) }
          try? db.transaction { _ in
            try gate.apply([.set("undone", Data())])
            throw Refusal()
          }
          try gate.apply([.set("alone", Data())])
          throw Refusal()
        }
      }

      #expect(names.withLock { $0.sorted() } == ["alone", "kept"])
    }
  }

  @Test func `a save in a rolled-back nested write notifies no observer`() throws {
    try withStorage { (storage, database) throws in
      let gate = Gate(SQLiteBackend(database))
      let names = Mutex<[String]>([])
      let registration = gate.intercept(
        Interceptor(after: { write in names.withLock { $0 += write.names } }))
      defer { registration.cancel() }

      try database.write { db in
        try gate.apply([.set("before", Data())])
        try? database.write { _ in
          try gate.apply([.set("undone", Data())])
          try db.transaction { _ in try gate.apply([.set("undone with the part around", Data())]) }
          throw Refusal()
        }
        try database.write { _ in try gate.apply([.set("nested", Data())]) }
        try gate.apply([.set("after", Data())])
      }

      #expect(names.withLock { $0 } == ["before", "nested", "after"])
    }
  }

  @Test func `a save by an interceptor that then refuses the statement notifies no observer`()
    throws
  {
    try withStorage { (storage, database) throws in
      let gate = Gate(SQLiteBackend(database))
      let names = Mutex<[String]>([])
      let registration = gate.intercept(
        Interceptor(after: { write in names.withLock { $0 += write.names } }))
      defer { registration.cancel() }
      try database.execute("CREATE TABLE loan(book INTEGER)")
      let interceptor = database.intercept(
        TableInterceptor(
          of: ["loan"],
          after: { _ in
            try gate.apply([.set("undone", Data())])
            throw Refusal()
          }))
      defer { interceptor.cancel() }

      #expect(throws: Refusal.self) {
        try database.writeWithoutTransaction { db in try db.execute("INSERT INTO loan VALUES (1)") }
      }
      try database.write { db in
        #expect(throws: Refusal.self) { try db.execute("INSERT INTO loan VALUES (1)") }
        try gate.apply([.set("after", Data())])
      }

      #expect(names.withLock { $0 } == ["after"])
      #expect(try gate.backend.read("undone") == nil)
    }
  }

  @Test func `an observer of rows can save a setting in the same database`() throws {
    try withStorage { (storage, database) throws in
      let codes = Mutex<[StorageError.Code]>([])
      let registration = try database.observe(.everything) { _ in
        guard (try? storage.load(.theme)) == "dark" else { return }
        do { try storage.save("noticed", for: .theme) } catch {
          codes.withLock { $0.append((error as? StorageError)?.code ?? .io) }
        }
      }

      try storage.save("dark", for: .theme)

      #expect(codes.withLock { $0 }.isEmpty)
      #expect(try storage.load(.theme) == "noticed")
      registration.cancel()
    }
  }

  @Test func `an observer is called after the writing thread released the connection`() throws {
    try withStorage { (storage, database) throws in
      let outcomes = Mutex<[Bool]>([])
      let gate = try storage.gate(for: .preference)
      let registration = try gate.observe(["theme"]) {
        let onAnotherThread = inBackground { try database.write { _ in } }.wait()
        outcomes.withLock { $0.append((try? onAnotherThread?.get()) != nil) }
      }

      try database.writeWithoutTransaction { _ in
        try storage.save("dark", for: .theme)
        #expect(outcomes.withLock { $0 }.isEmpty)
      }

      #expect(outcomes.withLock { $0 } == [true])
      registration.cancel()
    }
  }

  @Test
  func `observers of a write by an interceptor are called after the intercepted write has ended`()
    throws
  {
    try withStorage { (_, database) throws in
      let (gate, log) = (Gate(SQLiteBackend(database)), Gate(SQLiteBackend(database)))
      let codes = Mutex<[StorageError.Code?]>([])
      let interceptor = gate.intercept(
        Interceptor(before: { write in
          if write.names == ["book"] { try log.apply([.set("log", Data())]) }
        }))
      let observer = try log.observe(["log"]) {
        do {
          try gate.apply([.set("noticed", Data())])
          codes.withLock { $0.append(nil) }
        } catch {
          codes.withLock { $0.append((error as? StorageError)?.code) }
        }
      }

      try gate.apply([.set("book", Data())])

      #expect(codes.withLock { $0 } == [nil])
      #expect(try gate.backend.keys(withPrefix: "") == ["book", "log", "noticed", "theme"])
      interceptor.cancel()
      observer.cancel()
    }
  }

  @Test func `writes through two storages of one database notify observers in commit order`() throws
  {
    try withStorage { (_, database) throws in
      let (first, second) = (Gate(SQLiteBackend(database)), Gate(SQLiteBackend(database)))
      let seen = Mutex<[String]>([])
      let interceptor = second.intercept(
        Interceptor(after: { write in
          guard case .changes(let changes) = write, case .set(_, let bytes)? = changes.first else {
            return
          }
          seen.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
        }))
      let observer = try first.observe(["book"]) {
        _ = inBackground { try second.apply([.set("shelf", Data("later".utf8))]) }.wait()
      }

      try database.write { _ in
        try first.apply([.set("book", Data())])
        try second.apply([.set("shelf", Data("earlier".utf8))])
      }

      #expect(try second.backend.read("shelf") == Data("later".utf8))
      #expect(seen.withLock { $0 } == ["earlier", "later"])
      interceptor.cancel()
      observer.cancel()
    }
  }
}
