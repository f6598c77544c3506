import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of integrity checks and of `VACUUM`.
@Suite struct CheckTests {
  @Test func `the integrity checks of an intact database find no problems`() throws {
    let database = try Database.inMemory()
    try Library.fill(database)
    let check = { () throws in
      #expect(try database.integrityCheck() == [])
      #expect(try database.quickCheck() == [])
      #expect(try database.foreignKeyCheck() == [])
    }
    try check()
    try database.write { _ in try check() }
    try database.read { _ in try check() }
  }

  @Test func `the integrity check reports damage, up to the given number of problems`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let intact = try Database(at: url)
      try Library.fill(intact, books: 2_000)
      try intact.close()
      var bytes = try Data(contentsOf: url)
      for page in stride(from: 8, to: 60, by: 5) {
        bytes.replaceSubrange(page * 4096..<page * 4096 + 8, with: [UInt8](repeating: 0, count: 8))
      }
      try bytes.write(to: url)
      let damaged = try Database(at: url)
      let problems = try damaged.integrityCheck()
      #expect(problems.count > 5)
      #expect(problems.allSatisfy { $0 != "ok" && !$0.contains("\n") })
      #expect(try !damaged.quickCheck().isEmpty)

      for limit in [1, 0, .min] { #expect(try damaged.integrityCheck(limit: limit).count == 1) }
      #expect(try damaged.integrityCheck(limit: .max).count >= problems.count)
    }
  }

  @Test func `the foreign key check finds rows that violate a foreign key`() throws {
    let database = try Database.inMemory()
    try Library.fill(database)
    try database.writeWithoutTransaction { db in
      _ = try db.fetchAll("PRAGMA foreign_keys = OFF") { _ in }
      try db.execute("INSERT INTO loan(rowid, book) VALUES (5, 77), (6, 1)")
      let violations = try database.foreignKeyCheck()
      let violation = try #require(violations.first)
      #expect(violations.count == 1)
      #expect((violation.table, violation.rowID, violation.parent) == ("loan", 5, "book"))
      #expect(violation.foreignKey == 0)
      #expect(violation.database == "main")
    }
  }

  @Test func `the foreign key check includes attached databases`() throws {
    try withTemporaryDirectory { directory in
      let archive = directory.appending(path: "archive.sqlite")
      try Library.fill(try Database(at: archive))
      let database = try Database(
        at: directory.appending(path: "library.sqlite"),
        .init(attachments: [Database.Attachment(archive, as: "the archive")]))
      try Library.fill(database)
      #expect(try database.foreignKeyCheck() == [])

      try database.writeWithoutTransaction { db in
        try db.execute("PRAGMA foreign_keys = OFF")
        try db.execute("INSERT INTO main.loan(rowid, book) VALUES (5, 77)")
        try db.execute("INSERT INTO \(identifier: "the archive").loan(rowid, book) VALUES (6, 78)")
        let inside = try db.foreignKeyCheck()
        #expect(inside.map(\.rowID) == [5, 6])
      }
      let violations = try database.foreignKeyCheck()
      #expect(violations.map(\.database) == ["main", "the archive"])
      #expect(violations.map(\.rowID) == [5, 6])
      #expect(violations.map(\.table) == ["loan", "loan"])
    }
  }

  @Test(.behaviour("A-FM-46"))
  func `a database reports its page size and journal mode, and vacuum shrinks the database file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      try Library.fill(database, books: 5_000)
      let facts = try database.read { db in (try db.pageSize(), try db.journalMode()) }
      #expect(facts.0 == 4096)
      #expect(facts.1 == .writeAheadLog)

      try database.write { db in try db.execute("DELETE FROM book WHERE id > 10") }
      try database.checkpoint(.truncate)
      let before = try #require(database.files).byteCount()

      try database.vacuum()
      try database.checkpoint(.truncate)
      #expect(try #require(database.files).byteCount() < before / 4)
      #expect(try Library.count(database) == 10)
      #expect(try Database.inMemory().read { db in try db.journalMode() } == .memory)
    }
  }

  @Test(.behaviour("A-FM-46"))
  func `vacuum into another file creates a compact and intact copy`() throws {
    try withTemporaryDirectory { directory in
      for database in [
        try Database(at: directory.appending(path: "library.sqlite")), try Database.inMemory(),
      ] {
        try Library.fill(database, books: 5_000)
        try database.write { db in
          try db.execute("DELETE FROM book WHERE id > 10")
          try db.setUserVersion(4)
        }
        let folder = directory.appending(path: "copies")
        let url = folder.appending(path: "small.sqlite")
        for _ in 0..<2 { try database.vacuum(into: url) }
        #expect(try Library.names(in: folder) == ["small.sqlite"])
        #expect(try Library.mode(of: url) == 0o600)
        #expect(try DatabaseFiles(at: url).byteCount() < 40_000)
        let copy = try Database(at: url, DatabaseOptions(isReadOnly: true))
        #expect(try copy.integrityCheck() == [])
        try copy.read { db in
          try #expect(db.userVersion() == 4)
          try #expect(db.journalMode() == .delete)
        }
      }
    }
  }

  @Test(.behaviour("A-FM-46"))
  func `vacuum throws inside a read or write, for an unknown schema and for a read-only database`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try Library.fill(database)
      let copy = directory.appending(path: "copy.sqlite")
      let reading = try Database(at: url, DatabaseOptions(isReadOnly: true))
      let calls: [(StorageError.Code, () throws -> Void)] = [
        (.misuse, { try database.write { _ in try database.vacuum() } }),
        (.misuse, { try database.read { _ in try database.vacuum() } }),
        (.misuse, { try database.read { _ in try database.vacuum(into: copy) } }),
        (.misuse, { try database.vacuum("absent") }),
        (.accessDenied, { try reading.vacuum() }),
      ]
      for (code, call) in calls {
        let error = #expect(throws: StorageError.self) { try call() }
        #expect(error?.code == code)
      }
      try reading.vacuum(into: copy)

      #expect(try Library.count(try Database(at: copy)) == 3)
    }
  }
}
