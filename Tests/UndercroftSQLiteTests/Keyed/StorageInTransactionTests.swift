import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of values that a storage reads and saves inside a transaction of its database.
@Suite struct StorageInTransactionTests {
  private struct Refusal: Error {}

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
        #expect(try storage.themeOnAnotherThread() == "light")
        #expect(storage[.theme] == "dark")
        #expect(try storage.themeOnAnotherThread() == "light")
        if !isCommitted { throw Refusal() }
      }

      let expected = isCommitted ? "dark" : "light"
      #expect(storage[.theme] == expected)
      #expect(try storage.themeOnAnotherThread() == expected)
      #expect(try storage.load(.theme) == expected)
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
          _ = try storage.themeOnAnotherThread()
          usleep(10_000)
          _ = try storage.themeOnAnotherThread()
          seen = storage[.theme]
        }
      default: try storage.edit(.preference) { _ in seen = storage[.theme] }
      }

      #expect(seen == "dark")
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
          #expect(try storage.themeOnAnotherThread() == "light")
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
        #expect(try storage.themeOnAnotherThread() == "light")
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
