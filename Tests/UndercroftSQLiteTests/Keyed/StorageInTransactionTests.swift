import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

extension StorageKey where Value == String {
  fileprivate static var theme: StorageKey {
    StorageKey("theme", kind: .preference, default: "light")
  }
}

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

/// Tests of values that a storage saves inside a transaction of its database.
@Suite struct StorageInTransactionTests {
  private struct Refusal: Error {}

  private func withStorage(_ body: (Storage, Database) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      var storage = Storage()
      let choice = BackendChoice.sqlite(at: directory.appending(path: "library.sqlite"))
      try storage.use(choice, for: .preference)
      try storage.save("light", for: .theme)
      try body(storage, try storage.database(for: .preference))
    }
  }

  /// Reads the theme on another thread.
  private func onAnotherThread(_ storage: Storage) throws -> String? {
    try inBackground { storage[.theme] }.wait()?.get()
  }

  @Test(arguments: [true, false])
  func `a setting saved in a write is visible to other threads only after the commit`(
    isCommitted: Bool
  ) throws {
    try withStorage { (storage, database) throws in
      #expect(storage[.theme] == "light")

      try? database.write { _ in
        try storage.save("dark", for: .theme)
        #expect(storage[.theme] == "dark")
        // A value that another thread reads meanwhile must not remain cached.
        #expect(try onAnotherThread(storage) == "light")
        #expect(storage[.theme] == "dark")
        #expect(try onAnotherThread(storage) == "light")
        if !isCommitted { throw Refusal() }
      }

      let expected = isCommitted ? "dark" : "light"
      #expect(storage[.theme] == expected)
      #expect(try onAnotherThread(storage) == expected)
      #expect(try storage.load(.theme) == expected)
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

  @Test(arguments: ["write", "read within a write", "read", "edit"])
  func `a setting read inside a transaction has the value of the transaction's snapshot`(
    kind: String
  ) throws {
    try withStorage { (storage, database) throws in
      var other = Storage()
      let url = try #require(database.location)
      try other.use(.sqlite(at: url), for: .preference)
      #expect(storage[.theme] == "light")
      // The value is in memory, and no count of changes is younger than the next save.
      usleep(10_000)
      try other.save("dark", for: .theme)

      var seen = ""
      switch kind {
      case "write": try database.write { _ in seen = storage[.theme] }
      case "read within a write":
        try database.write { _ in try database.read { _ in seen = storage[.theme] } }
      case "read":
        try database.read { db in
          _ = try db.fetchValue("SELECT count(*) FROM undercroft_entry", as: Int.self)
          try other.save("sepia", for: .theme)
          _ = try onAnotherThread(storage)
          usleep(10_000)
          _ = try onAnotherThread(storage)
          seen = storage[.theme]
        }
      default: try storage.edit(.preference) { _ in seen = storage[.theme] }
      }

      #expect(seen == "dark")
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
        #expect(try onAnotherThread(storage) == expected)
        #expect(calls.load(ordering: .relaxed) == 0)
      }

      #expect(try onAnotherThread(storage) == "dark")
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

  @Test
  func `after a storage's database was overwritten, the storage reads only the new content`()
    throws
  {
    try withStorage { (storage, database) throws in
      try storage.save("dark", for: .theme)
      #expect(storage[.theme] == "dark")
      let other = try Database.inMemory()
      try other.execute("CREATE TABLE book(title TEXT)")

      try database.overwrite(with: other)

      #expect(storage[.theme] == "light")
      try storage.save("sepia", for: .theme)
      #expect(storage[.theme] == "sepia")
    }
  }

  @Test
  func `a statement tracer and a set-up closure can read the backend's external change count`()
    throws
  {
    try withTemporaryDirectory { directory in
      let shared = Mutex<SQLiteBackend?>(nil)
      let count = Atomic<Int>(0)
      let look: @Sendable () -> Void = {
        guard let backend = shared.withLock({ $0 }) else { return }
        _ = backend.externalChangeCount()
        count.add(1, ordering: .relaxed)
      }
      let options = DatabaseOptions(setUp: { _ in look() }, tracer: StatementTracer { _ in look() })
      let backend = try SQLiteBackend(at: directory.appending(path: "library.sqlite"), options)
      shared.withLock { $0 = backend }
      defer { shared.withLock { $0 = nil } }

      _ = backend.externalChangeCount()
      let countOfTracer = count.load(ordering: .relaxed)
      try backend.database.whileClosed { _ in }
      _ = backend.externalChangeCount()

      #expect(countOfTracer > 0)
      #expect(count.load(ordering: .relaxed) > countOfTracer)
    }
  }

  @Test
  func `after a read of an old snapshot ends, the next read returns the current setting`()
    throws
  {
    try withStorage { (storage, database) throws in
      try database.read { _ in
        // The snapshot begins with the first statement.
        #expect(try storage.load(.theme) == "light")
        try inBackground { try storage.save("dark", for: .theme) }.wait()?.get()
        #expect(storage[.theme] == "light")
      }

      #expect(storage[.theme] == "dark")
    }
  }

  @Test(arguments: [true, false])
  func `a setting saved through a backend wrapper is hidden from other threads until the commit`(
    isCommitted: Bool
  ) throws {
    let memory = MemoryBackend()
    for layer in [
      { NamespacedBackend($0, namespace: "library") },
      { SearchListBackend(overrides: [memory], primary: $0) },
    ] as [(any StorageBackend) -> any StorageBackend] {
      try withTemporaryDirectory { directory in
        let backend = try SQLiteBackend(at: directory.appending(path: "library.sqlite"))
        var storage = Storage()
        try storage.use(.backend(layer(backend)), for: .preference)
        try storage.save("light", for: .theme)

        try? backend.database.write { _ in
          try storage.save("dark", for: .theme)
          #expect(try onAnotherThread(storage) == "light")
          if !isCommitted { throw Refusal() }
        }

        #expect(storage[.theme] == (isCommitted ? "dark" : "light"))
      }
    }
  }

  @Test func `a setting edited in a write is visible to other threads only after the commit`()
    throws
  {
    try withStorage { (storage, database) throws in
      try database.write { _ in
        try storage.edit(.preference) { $0[.theme] = "dark" }
        #expect(try onAnotherThread(storage) == "light")
      }

      #expect(storage[.theme] == "dark")
    }
  }

  @Test func `concurrent edits of a key through two Database objects on one file are all applied`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let gates = [
        Gate(try SQLiteBackend(at: url, DatabaseOptions(lockTimeout: .hangLimit))),
        Gate(try SQLiteBackend(at: url, DatabaseOptions(lockTimeout: .hangLimit))),
      ]

      let done = gates.map { gate in
        inBackground {
          for _ in 0..<200 {
            try gate.edit { changes in
              let count = try gate.backend.read("visitors").map { $0.count } ?? 0
              changes = [.set("visitors", Data(count: count + 1))]
            }
          }
        }
      }
      for outcome in done { try outcome.wait()?.get() }

      #expect(try gates[0].backend.read("visitors")?.count == 400)
    }
  }

  @Test(.timeLimit(.hangLimit))
  func `a save inside a write and a concurrent save do not deadlock`() throws {
    try withTemporaryDirectory { directory in
      let options = DatabaseOptions(lockTimeout: .seconds(20))
      let backend = try SQLiteBackend(at: directory.appending(path: "library.sqlite"), options)
      let gate = Gate(backend)
      let (besideBegan, withinBegan) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
      )
      let registration = gate.intercept(
        Interceptor(before: { write in
          guard write.names == ["beside"] else { return }
          besideBegan.signal()
          // While the writer connection is in use the other thread cannot continue, so the wait
          // times out.
          _ = withinBegan.wait(timeout: .now() + 0.2)
        }))

      let beside = inBackground { try gate.apply([.set("beside", Data())]) }
      let within = inBackground {
        _ = besideBegan.wait(timeout: .hangLimit)
        try backend.database.write { _ in
          withinBegan.signal()
          try gate.apply([.set("within", Data())])
        }
      }
      try beside.wait()?.get()
      try within.wait()?.get()

      #expect(try backend.keys(withPrefix: "") == ["beside", "within"])
      registration.cancel()
    }
  }

  @Test(.timeLimit(.hangLimit))
  func `saves inside writes, concurrent edits and concurrent saves do not deadlock`() throws {
    try withTemporaryDirectory { directory in
      var storage = Storage()
      let options = DatabaseOptions(lockTimeout: .seconds(20))
      try storage.use(
        .sqlite(at: directory.appending(path: "library.sqlite"), options), for: .preference)
      let database = try storage.database(for: .preference)
      let other = StorageKey("other", kind: .preference, default: "")
      let rounds = 100
      let work: [@Sendable (Storage) throws -> Void] = [
        { storage in try database.write { _ in try storage.save("dark", for: .theme) } },
        { storage in try storage.edit(.preference) { $0[other] += "x" } },
        { storage in try storage.save("light", for: .theme) },
      ]

      let done = work.map { [storage] work in
        inBackground { for _ in 0..<rounds { try work(storage) } }
      }
      for outcome in done { try outcome.wait()?.get() }

      #expect(try storage.load(other).count == rounds)
      try storage.removeAll(of: .preference)
      #expect(try storage.names(of: .preference) == [])
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

  @Test
  func `if a set-up closure reads a setting of its database, issueHandler receives a misuse error`()
    throws
  {
    try withTemporaryDirectory { directory in
      let reader = Mutex<Storage?>(nil)
      defer { reader.withLock { $0 = nil } }
      let codes = Mutex<[StorageError.Code]>([])
      var options = DatabaseOptions()
      options.setUp = { _ in
        guard let storage = reader.withLock({ $0 }) else { return }
        _ = storage[.theme]
      }
      var storage = Storage()
      storage.issueHandler = { error in codes.withLock { $0.append(error.code) } }
      try storage.use(
        .sqlite(at: directory.appending(path: "library.sqlite"), options), for: .preference)
      try storage.save("dark", for: .theme)
      let database = try storage.database(for: .preference)
      reader.withLock { $0 = storage }

      try database.whileClosed { _ in }

      #expect(storage[.theme] == "dark")
      #expect(codes.withLock { Set($0) } == [.misuse])
    }
  }
}
