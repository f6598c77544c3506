import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of the observers of several gates of one open database.
@Suite(.timeLimit(.hangLimit)) struct SharedDatabaseObserverTests {
  private struct Refusal: Error {}

  private static let theme = SharedDatabase.theme
  private static let size = SharedDatabase.size

  @Test(arguments: SharedDatabase.Arrangement.allCases)
  func `a save calls every observer of the saved key once, also in other storages of the database`(
    arrangement: SharedDatabase.Arrangement
  ) throws {
    try SharedDatabase.withStorages(arrangement) { _, writer, reader in
      let (own, other) = (EventCollector<String>(), EventCollector<String>())
      let registrations = [
        try SharedDatabase.observe(Self.theme, of: writer, own),
        try SharedDatabase.observe(Self.size, of: writer, own),
        try SharedDatabase.observe(Self.theme, of: reader, other),
        try SharedDatabase.observe(Self.size, of: reader, other),
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
        try SharedDatabase.observe(Self.theme, of: reader, calls),
        try SharedDatabase.observe(Self.size, of: reader, calls),
        try SharedDatabase.observe(Self.theme, of: other, others),
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
    try SharedDatabase.withStorages(.twoBackends) { database, writer, reader in
      let calls = EventCollector<String>()
      let registrations = [
        try SharedDatabase.observe(Self.theme, of: writer, calls),
        try SharedDatabase.observe(Self.size, of: reader, calls),
      ]
      _ = (writer[Self.theme], reader[Self.theme])

      try SQLiteBackend(database).apply([.remove("theme")])

      #expect(writer[Self.theme] == "none")
      #expect(reader[Self.theme] == "none")
      #expect(calls.events == ["theme"])
      withExtendedLifetime(registrations) {}
    }
  }

  @Test func `rolled-back writes and writes to other tables notify no observer of a setting`()
    throws
  {
    try SharedDatabase.withStorages(.twoBackends) { database, writer, reader in
      let calls = EventCollector<String>()
      let registrations = [
        try SharedDatabase.observe(Self.theme, of: writer, calls),
        try SharedDatabase.observe(Self.theme, of: reader, calls),
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

  @Test
  func `if an observer saves a key in another storage, the observer of that key is called once`()
    throws
  {
    try SharedDatabase.withStorages(.twoBackends) { _, writer, reader in
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
    try SharedDatabase.withStorages(.twoBackends) { database, writer, reader in
      try database.execute(
        """
        CREATE TRIGGER resized AFTER INSERT ON undercroft_entry WHEN new.name = 'theme'
        BEGIN DELETE FROM undercroft_entry WHERE name = 'size'; END
        """)
      let calls = EventCollector<String>()
      let registrations = [
        try SharedDatabase.observe(Self.size, of: writer, calls),
        try SharedDatabase.observe(Self.size, of: reader, calls),
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
    try SharedDatabase.withStorages(.twoBackends) { database, writer, reader in
      let calls = EventCollector<String>()
      let registrations = [
        try SharedDatabase.observe(Self.theme, of: writer, calls),
        try SharedDatabase.observe(Self.theme, of: reader, calls),
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
}
