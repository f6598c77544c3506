import FixtureLibrary
import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftSync

/// Tests that pin the formats in `Docs/Formats/SyncReplica.md` and `Docs/Formats/SyncServer.md`.
///
/// A golden file contains the statements of a schema in the order of their creation, separated by
/// lines of four hyphens.
@Suite struct SyncStoreFormatTests {
  @Test func `the SQL that creates a device's synchronisation tables equals the golden file`()
    throws
  {
    try withTemporaryDirectory { folder in
      let library = try SyncedLibrary(in: folder)
      let database = try library.database("phone")

      _ = try library.engine(of: database)

      try expect(
        try statements(of: database, where: "name <> 'author' AND name <> 'book'"),
        equal: "SyncReplica2.sql")
      #expect(try database.fetchValue("SELECT format FROM sync_clock", as: Int.self) == 2)
    }
  }

  @Test
  func `a device's sync tables describe columns, scopes and changes with the documented names`()
    async throws
  {
    try await withTemporaryDirectory { folder in
      let library = try SyncedLibrary(in: folder)
      let database = try library.database("phone")
      try database.execute("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")

      let engine = try library.engine(of: database)

      #expect(
        try lines(
          "SELECT name || ' ' || key_column || ' ' || identity || ' ' || isEnqueued FROM sync_table",
          of: database) == ["author id integer 1", "book id text 1"])
      #expect(
        try lines(
          """
          SELECT position || ' ' || name || ' ' || role || coalesce(' ' || referenced_table, '')
          FROM sync_column WHERE table_id = 2 ORDER BY position
          """, of: database) == [
            "0 title value", "1 note value", "2 loans counter", "3 author reference author",
            "4 draft local",
          ])
      #expect(
        try lines(
          "SELECT name || ' ' || account || ' ' || direction || ' ' || mode FROM sync_scope",
          of: database) == ["library librarian twoWay incremental"])
      #expect(try lines("SELECT state FROM sync_to_sync", of: database) == ["pending"])
      #expect(
        try lines("SELECT pending || ' ' || exists_ FROM sync_shadow_2", of: database) == ["1 0"])
      try await engine.sync()
      #expect(try lines("SELECT state FROM sync_to_sync", of: database) == [])
      #expect(
        try lines(
          "SELECT primary_key || version || isDeleted FROM sync_record", of: database) == ["b110"])
    }
  }

  @Test func `the SQL that creates the tables of a server's files equals the golden file`()
    async throws
  {
    try await withTemporaryDirectory { folder in
      let library = try SyncedLibrary(in: folder)
      let phone = try library.database("phone")
      try phone.execute("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
      try await library.engine(of: phone).sync()
      let server = folder.appending(path: "server")
      let files = try FileManager.default.contentsOfDirectory(atPath: server.path)
        .filter { $0.hasSuffix(".sqlite") }.sorted()

      let databases = try files.map { try Database(at: server.appending(path: $0)) }

      #expect(files == ["sync-0.sqlite", "sync-1.sqlite"])
      for (number, database) in databases.enumerated() {
        try expect(try statements(of: database), equal: "SyncServer1.sql")
        #expect(
          try lines("SELECT format || ' ' || shard || ' ' || shards FROM sync_store", of: database)
            == ["1 \(number) 2"])
      }
      // The scope is in one of the files.
      let counts = try databases.map { database in
        try database.fetchValue("SELECT count(*) FROM sync_record", as: Int.self)
      }
      #expect(counts.sorted() == [0, 1])
    }
  }

  private func statements(of database: Database, where condition: SQL = "true") throws -> [String] {
    try database.fetchAll(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND \(condition) ORDER BY rowid"
    ) { row in try row[0] }
  }

  private func lines(_ sql: SQL, of database: Database) throws -> [String] {
    try database.fetchAll(sql) { row in try row[0] }
  }

  private func expect(_ found: [String], equal name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/\(name)")
    let golden = try String(contentsOf: file, encoding: .utf8).dropLast()
      .split(separator: "\n----\n", omittingEmptySubsequences: false)
    for (statement, expected) in zip(found, golden) { #expect(statement == expected) }
    #expect(found.count == golden.count)
  }
}
