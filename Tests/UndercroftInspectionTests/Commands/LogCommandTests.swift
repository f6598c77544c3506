import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftGDBM

/// Tests of the command `log` on the logs that the backends write.
@Suite struct LogCommandTests {
  // MARK: Databases

  @Test func `each transaction in a write-ahead log is listed with its pages and tables`() throws {
    try withDatabase { folder, url, database in
      try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        try db.execute("CREATE TABLE member(name TEXT)")
      }
      try database.write { db in try db.execute("INSERT INTO book VALUES ('Emma')") }
      try database.write { db in
        try db.execute("INSERT INTO member VALUES (\(String(repeating: "A", count: 50_000)))")
      }
      try expectUnchanged(folder) {
        let rows = try InspectorRows.of("log", url.path)

        #expect(rows.suffix(3).map { $0["change"] as? String } == ["commit", "commit", "commit"])
        #expect(rows.map { $0["record"] as? Int } == Array(1...rows.count))
        #expect(
          rows.suffix(3).map { $0["tables"] as? [String] } == [
            ["book", "member", "sqlite_schema"], ["book"], ["member", "sqlite_schema"],
          ])
        #expect((rows.last?["pages"] as? Int ?? 0) > 12)
        #expect(rows.suffix(2).first?["pages"] as? Int == 1)
        #expect(rows.allSatisfy { $0["checkpointed"] as? Bool == false })
        #expect(rows.allSatisfy { ($0["salts"] as? String)?.count == 16 })
        let size = try #require(
          FileManager.default.attributesOfItem(atPath: url.path + "-wal")[.size] as? Int)
        let end = (rows.last?["offset"] as? Int ?? 0) + (rows.last?["bytes"] as? Int ?? 0)
        #expect(end <= size)
      }
    }
  }

  @Test func `log shows which transactions a checkpoint has copied into the database file`() throws
  {
    try withDatabase { folder, url, database in
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      // A reader prevents that the log begins again after the checkpoint.
      try database.read { db in
        _ = try db.fetchValue("SELECT count(*) FROM book", as: Int.self)
        try SQLiteShell.run("PRAGMA wal_checkpoint(PASSIVE)", on: url)
        try SQLiteShell.run("INSERT INTO book VALUES ('Emma')", on: url)

        let rows = try InspectorRows.of("log", url.path)

        let states = rows.map { $0["checkpointed"] as? Bool }
        #expect(states.first == true)
        #expect(states.last == false)
      }
    }
  }

  @Test func `with a limit, log shows the newest transactions`() throws {
    try withDatabase { _, url, database in
      try addTables(5, to: database)
      let all = try InspectorRows.of("log", url.path).compactMap { $0["record"] as? Int }

      let rows = try InspectorRows.of("log", url.path, "--limit", "2")

      #expect(rows.map { $0["record"] as? Int } == Array(all.suffix(2)))
    }
  }

  @Test func `frames that no commit follows are listed as uncommitted`() throws {
    try withDatabase { folder, url, database in
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      try database.write { db in
        try db.execute("INSERT INTO book VALUES (\(String(repeating: "A", count: 50_000)))")
      }
      let copy = folder.appending(path: "copy.sqlite")
      try FileManager.default.copyItem(at: url, to: copy)
      var log = try Data(contentsOf: URL(filePath: url.path + "-wal"))
      log.removeLast(4_096)
      try log.write(to: URL(filePath: copy.path + "-wal"))

      let rows = try InspectorRows.of("log", copy.path)

      #expect(rows.last?["change"] as? String == "uncommitted")
      #expect(rows.last?["pagesAfter"] == nil)
    }
  }

  @Test func `a log with damaged frames is shown up to the damage`() throws {
    try withDatabase { folder, url, database in
      try addTables(4, to: database)
      let copy = folder.appending(path: "copy.sqlite")
      let offset = try #require(
        InspectorRows.of("log", url.path).dropLast().last?["offset"] as? Int)
      try FileManager.default.copyItem(at: url, to: copy)
      var log = try Data(contentsOf: URL(filePath: url.path + "-wal"))
      let count = try InspectorRows.of("log", url.path).count
      log[offset + 100] ^= 0xff
      try log.write(to: URL(filePath: copy.path + "-wal"))

      let rows = try InspectorRows.of("log", copy.path)

      #expect(rows.count == count - 2)
    }
  }

  @Test func `a database without a log has no rows, and a note says so`() throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "library.sqlite")
      try SQLiteShell.run("CREATE TABLE book(title)", on: url)

      let answer = try run("log", url.path, "--format", "json")

      #expect(answer.status == 0)
      #expect(answer.output == "[\n\n]\n")
      #expect(answer.errors.contains("the log is empty"))
    }
  }

  @Test func `log beside a writer shows complete transactions and makes no write fail`() throws {
    try withDatabase { _, url, database in
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      let writer = try Program(at: "/usr/bin/env").start(
        ["sqlite3", "-bail", url.path],
        input: ".timeout 60000\n"
          + String(repeating: "INSERT INTO book VALUES (hex(randomblob(500)));\n", count: 3_000))

      for _ in 0..<5 {
        let answer = try run("log", url.path, "--format", "ndjson")
        #expect(answer.status == 0, "\(answer.errors)")
      }

      let end = try writer.result()
      #expect(end.status == 0, "\(end.errors)")
    }
  }

  /// Creates tables in as many transactions.
  private func addTables(_ count: Int, to database: Database) throws {
    for number in 1...count {
      try database.execute(SQL(unchecked: "CREATE TABLE shelf\(number)(title TEXT)"))
    }
  }

  private func withDatabase(
    _ body: (_ folder: URL, _ url: URL, _ database: Database) throws -> Void
  ) throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try body(folder, url, database)
      try database.close()
    }
  }

  // MARK: Journals

  @Test(arguments: ["settings", "gdbm"])
  func `each change in a journal is listed with its name, size and batch`(backend: String) throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "preferences")
      try withJournalledStorage(backend, at: url, in: folder) { storage in
        try storage.save("dark", for: Self.key("theme"))
        try storage.edit(.preference) {
          $0[Self.key("theme")] = "light"
          $0[Self.key("title")] = "Lending library"
        }
        try storage.remove(Self.key("title"))

        try expectUnchanged(folder) {
          let rows = try InspectorRows.of("log", url.path)

          #expect(rows.map { $0["change"] as? String } == ["set", "set", "set", "remove"])
          #expect(rows.map { $0["name"] as? String } == ["theme", "theme", "title", "title"])
          #expect(rows.map { $0["record"] as? Int } == [1, 2, 2, 3])
          #expect((rows.first?["bytes"] as? Int ?? 0) > 3)
          #expect(rows.last?["bytes"] == nil)
          #expect(rows.first?["offset"] as? Int == 8)
        }
      }
    }
  }

  @Test func `a damaged and an incomplete end of a journal are listed last`() throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "preferences")
      try withJournalledStorage("settings", at: url, in: folder) { storage in
        for number in 1...3 { try storage.save("\(number)", for: Self.key("theme")) }
      }
      let journal = URL(filePath: url.path + ".journal")
      let whole = try Data(contentsOf: journal)
      let last = try #require(InspectorRows.of("log", url.path).last?["offset"] as? Int)

      try whole.dropLast(2).write(to: journal)
      let torn = try InspectorRows.of("log", url.path)
      var damaged = whole
      damaged[last + 13] ^= 0xff
      try damaged.write(to: journal)
      let flipped = try InspectorRows.of("log", url.path)

      #expect(torn.map { $0["change"] as? String } == ["set", "set", "incomplete"])
      #expect(flipped.map { $0["change"] as? String } == ["set", "set", "damaged"])
      #expect(flipped.last?["offset"] as? Int == last)
    }
  }

  @Test func `log of a home shows the names without the prefixes of kinds`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let rows = try home.rows("log", "--kind", "preference")

      #expect(rows.map { $0["name"] as? String } == ["theme", "window.title"])
      #expect(rows.allSatisfy { $0["kind"] as? String == "preference" })
    }
  }

  @Test func `log never shows values`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let answer = try home.run("log", "--format", "json")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.contains("window.title"))
      #expect(!answer.output.contains("Lending at noon") && !answer.output.contains("Jane Austen"))
    }
  }

  @Test func `a store of files has no log, which ends with status 65`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let answer = try home.run("log", "--kind", "blob")

      #expect(answer.status == 65)
      #expect(answer.errors.contains("a store of the backend \"files\" has no log"))
    }
  }

  @Test func `a home without stores has no log, which ends with status 66`() throws {
    try withTemporaryDirectory { home in
      let manifest = #"{"version":1,"routes":[]}"#
      try Data(manifest.utf8).write(to: home.appending(path: "undercroft.json"))

      let answer = try run("log", home.path)

      #expect(answer.status == 66)
      #expect(answer.errors.contains("the application has not created any store yet"))
    }
  }

  private static func key(_ name: String) -> StorageKey<String> {
    StorageKey(name, kind: .preference, default: "")
  }

  private func withJournalledStorage(
    _ backend: String, at url: URL, in folder: URL, _ body: (Storage) throws -> Void
  ) throws {
    var storage = Storage()
    try storage.use(backend == "gdbm" ? .gdbm(at: url) : .settings(at: url), for: .preference)
    try body(storage)
  }
}
