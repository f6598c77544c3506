import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests that the caches of several gates of one open database contain no old values, also after
/// raw SQL has changed the values.
@Suite(.timeLimit(.hangLimit)) struct SharedDatabaseCacheTests {
  private struct Refusal: Error {}

  private static let theme = SharedDatabase.theme
  private static let size = SharedDatabase.size

  @Test(arguments: SharedDatabase.Arrangement.allCases)
  func `a storage reads the value that another storage saved in the same database`(
    arrangement: SharedDatabase.Arrangement
  ) throws {
    try SharedDatabase.withStorages(arrangement) { _, writer, reader in
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

  @Test(
    arguments: [
      "UPDATE undercroft_entry SET value = x'22613122' WHERE name = 'theme'",
      "DELETE FROM Undercroft_Entry", "INSERT INTO note VALUES ('x')",
    ] as [SQL], [true, false])
  func `a change of the key-value table by raw SQL is visible to storages and notifies observers`(
    sql: SQL, isTransaction: Bool
  ) throws {
    try SharedDatabase.withStorages(.twoBackends) { database, writer, reader in
      try database.write { db in
        try db.execute("CREATE TABLE note(text)")
        try db.execute(
          "CREATE TRIGGER noted INSERT ON note BEGIN DELETE FROM undercroft_entry; END")
      }
      let calls = EventCollector<String>()
      let registrations = [
        try SharedDatabase.observe(Self.theme, of: writer, calls),
        try SharedDatabase.observe(Self.theme, of: reader, calls),
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

  @Test(arguments: [true, false])
  func `a value saved in a transaction is visible to other threads only after the commit`(
    isCommitted: Bool
  ) throws {
    try SharedDatabase.withStorages(.twoBackends) { database, writer, reader in
      #expect(reader[Self.theme] == "dark")
      let calls = EventCollector<String>()
      let registration = try SharedDatabase.observe(Self.theme, of: reader, calls)

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
    try SharedDatabase.withStorages(.twoBackends) { _, writer, reader in
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
    try SharedDatabase.withStorages(.twoBackends) { database, writer, _ in
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

  @Test func `a storage can be read and written after SQL dropped its key-value table`() throws {
    try SharedDatabase.withStorages(.twoBackends) { database, writer, reader in
      #expect(reader[Self.theme] == "dark")

      try database.execute("DROP TABLE undercroft_entry")

      #expect(reader[Self.theme] == "none")
      #expect(writer[Self.theme] == "none")
      try writer.save("light", for: Self.theme)
      #expect(reader[Self.theme] == "light")
    }
  }
}
