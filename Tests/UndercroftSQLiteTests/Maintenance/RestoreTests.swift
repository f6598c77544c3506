import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct RestoreTests {
  private struct Refusal: Error {}

  private func withLibrary(_ body: (Database, _ copy: URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      try Library.fill(database, books: 300)
      let copy = directory.appending(path: "copy.sqlite")
      try database.backUp(to: copy)
      try database.execute("DELETE FROM book WHERE id > 10")
      try body(database, copy)
    }
  }

  @Test func `restoring a backup replaces the content, reports progress and notifies observers`()
    throws
  {
    try withLibrary { database, copy in
      let commits = CommitCollector()
      let registration = try database.observe(.table("book")) { commits.append($0) }
      var seen = 0
      try database.restore(from: copy, pagesAtATime: 5) { _ in seen += 1 }
      #expect(seen > 5)
      #expect(try Library.count(database) == 300)
      #expect(commits.drain().last?.tables == nil)
      try database.execute("DELETE FROM book WHERE id > 20")
      #expect(try Library.count(database) == 20)
      withExtendedLifetime(registration) {}
    }
  }

  @Test func `a restore that is cancelled or fails changes nothing`() throws {
    try withLibrary { database, copy in
      #expect(throws: Refusal.self) { try database.restore(from: copy) { _ in throw Refusal() } }
      try Data("no database at all, but as long as a header of one would be, and longer still".utf8)
        .write(to: copy)
      let damaged = #expect(throws: StorageError.self) { try database.restore(from: copy) }
      #expect(damaged?.code == .corrupted)
      let absent = #expect(throws: StorageError.self) {
        try database.restore(from: copy.appendingPathExtension("absent"))
      }
      #expect(absent?.code == .unavailable)
      #expect(try Library.count(database) == 10)
    }
  }

  @Test
  func `restoring throws inside a write, from the same database and into an in-memory database`()
    throws
  {
    try withLibrary { database, copy in
      let inside = #expect(throws: StorageError.self) {
        try database.write { _ in try database.restore(from: copy) }
      }
      #expect(inside?.code == .misuse)
      let itself = try #require(database.location)
      #expect(throws: StorageError.self) { try database.restore(from: itself) }
      let memory = #expect(throws: StorageError.self) {
        try Database.inMemory().restore(from: copy)
      }
      #expect(memory?.message.contains("inMemory(loadedFrom:)") == true)
    }
  }

  @Test func `restoring a backup into a read-only database throws an access error`() throws {
    try withLibrary { database, copy in
      let url = try #require(database.location)
      try database.close()
      let reader = try Database(at: url, DatabaseOptions(isReadOnly: true))

      let error = #expect(throws: StorageError.self) { try reader.restore(from: copy) }

      #expect(error?.code == .accessDenied)
      #expect(error?.message.contains("DatabaseOptions.isReadOnly") == true)
      #expect(try Library.count(reader) == 10)
    }
  }
}
