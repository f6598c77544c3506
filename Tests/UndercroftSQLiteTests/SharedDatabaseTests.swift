import Dispatch
import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite

/// Several keyed backends, and raw SQL, on one open database.
@Suite struct SharedDatabaseTests {
  private struct Refusal: Error {}

  private func withBackends(
    _ body: (Database, _ first: SQLiteBackend, _ second: SQLiteBackend) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      for database in [
        try Database(at: directory.appending(path: "library.sqlite")), try Database.inMemory(),
      ] {
        let first = SQLiteBackend(database)
        try first.apply([.set("theme", Data("dark".utf8))])
        try body(database, first, SQLiteBackend(database))
      }
    }
  }

  @Test func `a write through one backend is an external change for the other alone`() throws {
    try withBackends { _, first, second in
      let (own, other) = (first.externalChangeCount(), second.externalChangeCount())

      try first.apply([.set("theme", Data("light".utf8))])

      #expect(first.externalChangeCount() == own)
      #expect(second.externalChangeCount() != other)
    }
  }

  @Test(
    arguments: [
      "UPDATE undercroft_entry SET value = x'00'", "DELETE FROM Undercroft_Entry",
      "INSERT INTO note VALUES ('x')",
    ] as [SQL])
  func `raw SQL that changes the entries is an external change for each backend`(sql: SQL) throws {
    try withBackends { database, first, second in
      try database.write { db in
        try db.execute("CREATE TABLE note(text)")
        try db.execute(
          "CREATE TRIGGER noted INSERT ON note BEGIN DELETE FROM undercroft_entry; END")
      }
      for isTransaction in [true, false] {
        let counts = [first, second].map { $0.externalChangeCount() }
        if isTransaction {
          try database.execute(sql)
        } else {
          try database.writeWithoutTransaction { db in try db.execute(sql) }
        }
        for (backend, count) in zip([first, second], counts) {
          #expect(backend.externalChangeCount() != count)
        }
      }
    }
  }

  @Test func `what is rolled back, and writes to other tables, are no external changes`() throws {
    try withBackends { database, first, second in
      let counts = [first, second].map { $0.externalChangeCount() }

      #expect(throws: Refusal.self) {
        try database.write { db in
          try db.execute("DELETE FROM undercroft_entry")
          try first.apply([.remove("theme")])
          throw Refusal()
        }
      }
      try database.execute("CREATE TABLE book(title)")
      try database.execute("INSERT INTO book VALUES ('Dune')")

      #expect([first, second].map { $0.externalChangeCount() } == counts)
    }
  }

  @Test func `a transaction with writes of both backends is an external change for both`() throws {
    try withBackends { database, first, second in
      let counts = [first, second].map { $0.externalChangeCount() }

      try database.write { _ in
        try first.apply([.set("theme", Data([1]))])
        try second.apply([.set("size", Data([2]))])
      }

      #expect(first.externalChangeCount() != counts[0])
      #expect(second.externalChangeCount() != counts[1])
    }
  }

  @Test func `a storage reads and announces what another storage of the database saves`() throws {
    try withBackends { _, first, second in
      var (one, other) = (Storage(), Storage())
      try one.use(.backend(first), for: .preference)
      try other.use(.backend(second), for: .preference)
      let theme = StorageKey("theme", kind: .preference, default: "none")
      try one.save("dark", for: theme)
      #expect(one[theme] == "dark")
      #expect(other[theme] == "dark")
      let told = DispatchSemaphore(value: 0)
      let registration = try one.gate(for: .preference).observe { told.signal() }

      try other.save("light", for: theme)

      #expect(one[theme] == "light")
      #expect(told.wait(timeout: .now() + 30) == .success)
      withExtendedLifetime(registration) {}
    }
  }
}
