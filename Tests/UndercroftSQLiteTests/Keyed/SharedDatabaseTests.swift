import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of several gates and raw SQL that use one open database.
@Suite(.timeLimit(.hangLimit)) struct SharedDatabaseTests {
  private struct Refusal: Error {}

  private static let theme = StorageKey("theme", kind: .preference, default: "none")
  private static let size = StorageKey("size", kind: .preference, default: "none")

  /// How two storages access the entry table of one database.
  enum Arrangement: CaseIterable {
    case twoBackends, oneBackend, inMemory, readOnlyLayer, searchList
  }

  private func withStorages(
    _ arrangement: Arrangement,
    _ body: (Database, _ writer: Storage, _ reader: Storage) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let database =
        arrangement == .inMemory
        ? try Database.inMemory() : try Database(at: directory.appending(path: "library.sqlite"))
      let first = SQLiteBackend(database)
      let second: any StorageBackend =
        switch arrangement {
        case .twoBackends, .inMemory: SQLiteBackend(database)
        case .oneBackend: first
        case .readOnlyLayer: ReadOnlyBackend(SQLiteBackend(database))
        case .searchList:
          SearchListBackend(overrides: [MemoryBackend()], primary: SQLiteBackend(database))
        }
      var (writer, reader) = (Storage(), Storage())
      try writer.use(.backend(first), for: .preference)
      try reader.use(.backend(second), for: .preference)
      try writer.save("dark", for: Self.theme)
      try writer.save("large", for: Self.size)
      try body(database, writer, reader)
    }
  }

  private func observe(
    _ key: StorageKey<String>, of storage: Storage, _ calls: EventCollector<String>
  ) throws -> Registration {
    try storage.gate(for: .preference).observe([key.name]) { calls.append(key.name) }
  }

  @Test(arguments: Arrangement.allCases)
  func `a storage reads the value that another storage saved in the same database`(
    arrangement: Arrangement
  ) throws {
    try withStorages(arrangement) { _, writer, reader in
      for value in ["light", "sepia"] {
        _ = (reader[Self.theme], reader[Self.size])

        try writer.save(value, for: Self.theme)

        #expect(reader[Self.theme] == value)
        #expect(reader[Self.size] == "large")
      }
      try writer.edit(.preference) { $0[Self.theme] += "2" }
      #expect(reader[Self.theme] == "sepia2")

      try writer.removeAll(of: .preference)
      #expect(reader[Self.theme] == "none")
    }
  }

  @Test(arguments: Arrangement.allCases)
  func `a save calls every observer of the saved key once, also in other storages of the database`(
    arrangement: Arrangement
  ) throws {
    try withStorages(arrangement) { _, writer, reader in
      let (own, other) = (EventCollector<String>(), EventCollector<String>())
      let registrations = [
        try observe(Self.theme, of: writer, own), try observe(Self.size, of: writer, own),
        try observe(Self.theme, of: reader, other), try observe(Self.size, of: reader, other),
      ]

      for value in ["light", "sepia", "dark"] { try writer.save(value, for: Self.theme) }
      #expect(own.drain() == ["theme", "theme", "theme"])
      #expect(other.drain() == ["theme", "theme", "theme"])

      try writer.edit(.preference) { edit in
        edit[Self.theme] = "light"
        edit[Self.size] = "small"
      }
      #expect(own.drain() == ["theme", "size"])
      #expect(other.drain() == ["theme", "size"])
      withExtendedLifetime(registrations) {}
    }
  }

  @Test func `an observer of a key in a namespace is called for that key and no other`() throws {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      var (writer, reader, other) = (Storage(), Storage(), Storage())
      try writer.use(
        .backend(NamespacedBackend(SQLiteBackend(database), namespace: "a")), for: .preference)
      try reader.use(
        .backend(NamespacedBackend(SQLiteBackend(database), namespace: "a")), for: .preference)
      try other.use(
        .backend(NamespacedBackend(SQLiteBackend(database), namespace: "b")), for: .preference)
      let (calls, others) = (EventCollector<String>(), EventCollector<String>())
      let registrations = [
        try observe(Self.theme, of: reader, calls), try observe(Self.size, of: reader, calls),
        try observe(Self.theme, of: other, others),
      ]
      #expect(reader[Self.theme] == "none")

      try writer.save("light", for: Self.theme)

      #expect(reader[Self.theme] == "light")
      #expect(other[Self.theme] == "none")
      #expect(calls.events == ["theme"])
      #expect(others.events.isEmpty)
      withExtendedLifetime(registrations) {}
    }
  }

  @Test func `a write directly to a backend notifies the observers of the written keys`() throws {
    try withStorages(.twoBackends) { database, writer, reader in
      let calls = EventCollector<String>()
      let registrations = [
        try observe(Self.theme, of: writer, calls), try observe(Self.size, of: reader, calls),
      ]
      _ = (writer[Self.theme], reader[Self.theme])

      try SQLiteBackend(database).apply([.remove("theme")])

      #expect(writer[Self.theme] == "none")
      #expect(reader[Self.theme] == "none")
      #expect(calls.events == ["theme"])
      withExtendedLifetime(registrations) {}
    }
  }

  @Test(
    arguments: [
      "UPDATE undercroft_entry SET value = x'22613122' WHERE name = 'theme'",
      "DELETE FROM Undercroft_Entry", "INSERT INTO note VALUES ('x')",
    ] as [SQL], [true, false])
  func `a change of the key-value table by raw SQL is visible to storages and notifies observers`(
    sql: SQL, isTransaction: Bool
  ) throws {
    try withStorages(.twoBackends) { database, writer, reader in
      try database.write { db in
        try db.execute("CREATE TABLE note(text)")
        try db.execute(
          "CREATE TRIGGER noted INSERT ON note BEGIN DELETE FROM undercroft_entry; END")
      }
      let calls = EventCollector<String>()
      let registrations = [
        try observe(Self.theme, of: writer, calls), try observe(Self.theme, of: reader, calls),
      ]
      let storages = [writer, reader]
      for storage in storages { #expect(storage[Self.theme] == "dark") }

      if isTransaction {
        try database.write { db in
          try db.execute(sql)
          for storage in storages { #expect(storage[Self.theme] != "dark") }
        }
      } else {
        try database.writeWithoutTransaction { db in
          try db.execute(sql)
          for storage in storages { #expect(storage[Self.theme] != "dark") }
        }
      }

      for storage in storages { #expect(storage[Self.theme] != "dark") }
      #expect(calls.events == ["theme", "theme"])
      withExtendedLifetime(registrations) {}
    }
  }

  @Test func `rolled-back writes and writes to other tables notify no observer of a setting`()
    throws
  {
    try withStorages(.twoBackends) { database, writer, reader in
      let calls = EventCollector<String>()
      let registrations = [
        try observe(Self.theme, of: writer, calls), try observe(Self.theme, of: reader, calls),
      ]
      #expect(reader[Self.theme] == "dark")

      #expect(throws: Refusal.self) {
        try database.write { db in
          try db.execute("DELETE FROM undercroft_entry")
          try writer.save("light", for: Self.theme)
          #expect(reader[Self.theme] == "light")
          throw Refusal()
        }
      }
      try database.write { db in
        try? database.write { _ in
          try writer.save("light", for: Self.theme)
          throw Refusal()
        }
        try db.execute("CREATE TABLE book(title)")
      }
      try database.execute("INSERT INTO book VALUES ('Dune')")

      #expect(reader[Self.theme] == "dark")
      #expect(writer[Self.theme] == "dark")
      #expect(calls.events.isEmpty)
      withExtendedLifetime(registrations) {}
    }
  }

  @Test(arguments: [true, false])
  func `a value saved in a transaction is visible to other threads only after the commit`(
    isCommitted: Bool
  ) throws {
    try withStorages(.twoBackends) { database, writer, reader in
      #expect(reader[Self.theme] == "dark")
      let calls = EventCollector<String>()
      let registration = try observe(Self.theme, of: reader, calls)

      try? database.write { _ in
        try writer.save("light", for: Self.theme)
        #expect(reader[Self.theme] == "light")
        let onAnotherThread = try inBackground { reader[Self.theme] }.wait()?.get()
        #expect(onAnotherThread == "dark")
        #expect(reader[Self.theme] == "light")
        #expect(calls.events.isEmpty)
        if !isCommitted { throw Refusal() }
      }

      #expect(reader[Self.theme] == (isCommitted ? "light" : "dark"))
      #expect(calls.events == (isCommitted ? ["theme"] : []))
      withExtendedLifetime(registration) {}
    }
  }

  @Test func `a storage never reads a value older than the last completed save of another storage`()
    throws
  {
    try withStorages(.twoBackends) { _, writer, reader in
      let count = StorageKey("count", kind: .preference, default: 0)
      let saved = Atomic<Int>(0)
      let saving = inBackground {
        defer { saved.store(.max, ordering: .sequentiallyConsistent) }
        for number in 1...1_000 {
          try writer.save(number, for: count)
          saved.store(number, ordering: .sequentiallyConsistent)
        }
      }

      var staleReads = 0
      while true {
        let floor = saved.load(ordering: .sequentiallyConsistent)
        if floor == .max { break }
        if reader[count] < floor { staleReads += 1 }
      }

      try saving.wait()?.get()
      #expect(staleReads == 0)
      #expect(reader[count] == 1_000)
    }
  }

  @Test
  func `a storage created during a transaction reads the transaction's value after the commit`()
    throws
  {
    try withStorages(.twoBackends) { database, writer, _ in
      var late = Storage()
      try database.write { _ in
        try writer.save("light", for: Self.theme)
        try late.use(.backend(SQLiteBackend(database)), for: .preference)
        let other = late
        let onAnotherThread = try inBackground { other[Self.theme] }.wait()?.get()
        #expect(onAnotherThread == "dark")
      }

      #expect(late[Self.theme] == "light")
    }
  }

  @Test
  func `if an observer saves a key in another storage, the observer of that key is called once`()
    throws
  {
    try withStorages(.twoBackends) { _, writer, reader in
      let calls = EventCollector<String>()
      let first = try writer.gate(for: .preference).observe(["theme"]) {
        calls.append("theme")
        try? reader.save("small", for: Self.size)
      }
      let second = try reader.gate(for: .preference).observe(["size"]) { calls.append("size") }

      try writer.save("light", for: Self.theme)

      #expect(calls.events == ["theme", "size"])
      #expect(writer[Self.size] == "small")
      withExtendedLifetime((first, second)) {}
    }
  }

  @Test(arguments: [true, false])
  func `a save that fires a trigger notifies the observers of the entry that the trigger deletes`(
    isTransaction: Bool
  ) throws {
    try withStorages(.twoBackends) { database, writer, reader in
      try database.execute(
        """
        CREATE TRIGGER resized AFTER INSERT ON undercroft_entry WHEN new.name = 'theme'
        BEGIN DELETE FROM undercroft_entry WHERE name = 'size'; END
        """)
      let calls = EventCollector<String>()
      let registrations = [
        try observe(Self.size, of: writer, calls), try observe(Self.size, of: reader, calls),
      ]
      let storages = [writer, reader]
      for storage in storages { #expect(storage[Self.size] == "large") }

      if isTransaction {
        try database.write { _ in try writer.save("light", for: Self.theme) }
      } else {
        try writer.save("light", for: Self.theme)
      }

      for storage in storages { #expect(storage[Self.size] == "none") }
      #expect(calls.events == ["size", "size"])
      withExtendedLifetime(registrations) {}
    }
  }

  @Test func `an EXPLAIN statement notifies no observer`() throws {
    try withStorages(.twoBackends) { database, writer, reader in
      let calls = EventCollector<String>()
      let registrations = [
        try observe(Self.theme, of: writer, calls), try observe(Self.theme, of: reader, calls),
      ]

      try database.write { db in
        try db.forEach("EXPLAIN QUERY PLAN DELETE FROM undercroft_entry") { _ in }
        try db.forEach("EXPLAIN DELETE FROM undercroft_entry") { _ in }
      }

      #expect(calls.events.isEmpty)
      withExtendedLifetime(registrations) {}
    }
  }

  /// An in-memory backend with mutually exclusive writers.
  private struct LockedMemory: ExclusiveAccessBackend {
    let memory = MemoryBackend()
    let isLocked = Flag()

    final class Flag: Sendable {
      private let isSet = Atomic<Bool>(false)
      var value: Bool { isSet.load(ordering: .relaxed) }
      func set(_ value: Bool) { isSet.store(value, ordering: .relaxed) }
    }

    var name: String { memory.name }
    var location: URL? { nil }
    var capabilities: Capabilities { memory.capabilities }
    func read(_ key: String) throws(StorageError) -> Data? { try memory.read(key) }
    func apply(_ changes: [StorageChange]) throws(StorageError) { try memory.apply(changes) }
    func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
      try memory.keys(withPrefix: prefix)
    }
    func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
      try withWriterLock(body)
    }
    func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
      isLocked.set(true)
      defer { isLocked.set(false) }
      return try body()
    }
  }

  /// A layer that writes each value to two backends.
  private struct Mirror: LayeredBackend {
    let copy: LockedMemory
    let original: SQLiteBackend

    var upstreams: [any StorageBackend] { [copy, original] }
    func upstreamName(of name: String) -> String? { name }
    var name: String { original.name }
    var location: URL? { original.location }
    var capabilities: Capabilities {
      original.capabilities.subtracting([.relational, .inspectable])
    }
    func read(_ key: String) throws(StorageError) -> Data? { try original.read(key) }
    func apply(_ changes: [StorageChange]) throws(StorageError) {
      try original.apply(changes)
      try copy.apply(changes)
    }
    func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
      try original.keys(withPrefix: prefix)
    }
  }

  @Test
  func `observers of a backend that wraps two backends are called after the locks are released`()
    throws
  {
    let copy = LockedMemory()
    var storage = Storage()
    let mirror = Mirror(copy: copy, original: SQLiteBackend(try Database.inMemory()))
    try storage.use(.backend(mirror), for: .preference)
    let calls = EventCollector<String>()
    let registration = try storage.gate(for: .preference).observe(["theme"]) {
      calls.append(copy.isLocked.value ? "locked" : "free")
    }

    try storage.save("light", for: Self.theme)

    #expect(calls.events == ["free"])
    withExtendedLifetime(registration) {}
  }

  @Test func `a storage can be read and written after SQL dropped its key-value table`() throws {
    try withStorages(.twoBackends) { database, writer, reader in
      #expect(reader[Self.theme] == "dark")

      try database.execute("DROP TABLE undercroft_entry")

      #expect(reader[Self.theme] == "none")
      #expect(writer[Self.theme] == "none")
      try writer.save("light", for: Self.theme)
      #expect(reader[Self.theme] == "light")
    }
  }
}
