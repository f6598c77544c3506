import FixtureLibrary
import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests that pin the format in `Docs/Formats/MigrationHistory.md`.
@Suite struct MigrationRecordFormatTests {
  private struct Stop: Error {}

  private static let tables = [
    """
    CREATE TABLE undercroft_migration (
      position INTEGER PRIMARY KEY, version TEXT NOT NULL UNIQUE, applied_at TEXT NOT NULL,
      origin TEXT NOT NULL, down TEXT)
    """,
    """
    CREATE TABLE undercroft_migration_run (
      id INTEGER PRIMARY KEY CHECK (id = 1), start TEXT NOT NULL, snapshot TEXT,
      sliced_version TEXT, has_cursor INTEGER NOT NULL, cursor, is_sliced INTEGER NOT NULL)
    """,
  ]

  /// Returns the rows of a table as SQL literals, without timestamps.
  private static func rows(_ sql: SQL, of database: Database) throws -> [String] {
    try database.fetchAll(sql) { row in
      try (0..<row.count).map { index in
        try literal(try row[index] as SQLValue)
      }
      .joined(separator: ", ")
    }
  }

  private static func literal(_ value: SQLValue) throws -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text)'"
    case .blob(let bytes): "x'\(bytes.hex)'"
    }
  }

  @Test(arguments: [true, false])
  func `the migration history has the documented tables and rows`(isRecorded: Bool) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryMigrations.makeFirstVersion(at: url, isRecorded: isRecorded)

      let database = try LibraryMigrations().open(url)

      let statements = try database.fetchAll(
        "SELECT sql FROM sqlite_schema WHERE name GLOB 'undercroft_migration*' ORDER BY name"
      ) { row in try row[0] as String }
      #expect(statements == Self.tables)
      #expect(
        try Self.rows(
          "SELECT position, version, origin, down FROM undercroft_migration", of: database) == [
            "1, '1', '\(isRecorded ? "created" : "adopted")', NULL",
            "2, '2', 'step', 'ALTER TABLE book DROP COLUMN isbn'",
            """
            3, '3', 'step', 'ALTER TABLE book ADD COLUMN blurb TEXT;
            UPDATE book SET blurb = (SELECT text FROM blurb WHERE book = book.id);
            DROP TABLE blurb;'
            """,
          ])
      let times = try database.fetchAll("SELECT applied_at FROM undercroft_migration") { row in
        try row[0] as String
      }
      for time in times {
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil, "\(time)")
      }
    }
  }

  @Test
  func `a migration that an event handler stops inside a step stores the documented progress row`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryMigrations.makeFirstVersion(at: url)
      var migrator = LibraryMigrations().migrator()
      migrator.onEvent = { event in
        if case .progress(_, let fraction) = event, fraction == 0.5 { throw Stop() }
      }

      #expect(throws: (any Error).self) {
        try Database(at: url, .init(migrator: migrator))
      }

      let database = try Database(at: url)
      #expect(
        try Self.rows("SELECT * FROM undercroft_migration_run", of: database) == [
          "1, '1', 'library.sqlite.version-1.snapshot', '3', 1, 5, 0"
        ])
      #expect(
        FileManager.default.fileExists(
          atPath: directory.appending(path: "library.sqlite.version-1.snapshot").path))
    }
  }

  @Test func `the file name of a snapshot escapes special characters of the version`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let old = MigrationStep("Ä 1.b", up: "CREATE TABLE book (id INTEGER PRIMARY KEY)")
      let failing = MigrationStep("2") { _ in throw Stop() }
      let schema: SQL = "CREATE TABLE book (id INTEGER PRIMARY KEY)"
      try Database(at: url, .init(migrator: Migrator([old], schema: schema))).close()
      var migrator = Migrator([old, failing], schema: schema)
      migrator.fallback = { _ in .recreate }

      try Database(at: url, .init(migrator: migrator)).close()

      #expect(
        try names(in: directory) == [
          "library.sqlite", "library.sqlite.kept-1",
          "library.sqlite.version-%c3%84%201.b.snapshot",
        ])
    }
  }

  @Test func `an unfinished migration continues from its stored progress row`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let file = try Database(at: url)
      try file.write { db in
        for table in Self.tables { try db.execute(SQL(unchecked: table)) }
        try db.executeScript(
          """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, blurb TEXT, isbn TEXT);
          INSERT INTO book VALUES (5, 'Emma', 'about Emma', NULL), (6, 'Dune', 'about Dune', NULL);
          CREATE TABLE blurb (book INTEGER PRIMARY KEY, text TEXT);
          INSERT INTO blurb VALUES (5, 'moved before');
          INSERT INTO undercroft_migration VALUES
            (1, '1', '2026-11-21T20:15:00Z', 'adopted', NULL),
            (2, '2', '2026-11-21T20:15:00Z', 'step', 'ALTER TABLE book DROP COLUMN isbn');
          INSERT INTO undercroft_migration_run VALUES (1, '1', NULL, '3', 1, 5, 0);
          """)
      }
      try file.close()

      let database = try LibraryMigrations().open(url)

      #expect(
        try Self.rows("SELECT * FROM blurb", of: database) == [
          "5, 'moved before'", "6, 'about Dune'",
        ])
      #expect(try Self.rows("SELECT * FROM undercroft_migration_run", of: database) == [])
      #expect(
        try Self.rows("SELECT version, origin FROM undercroft_migration", of: database)
          == ["'1', 'adopted'", "'2', 'step'", "'3', 'step'"])
    }
  }
}
