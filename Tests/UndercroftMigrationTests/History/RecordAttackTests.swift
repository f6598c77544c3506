import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// Tests of files whose migration history has content that this library never writes.
@Suite struct RecordAttackTests {
  /// Creates a file at version 2, runs `spoil` on it and opens it with all steps.
  private func opening(
    _ spoil: String, _ change: (inout Migrator) -> Void = { _ in }
  ) throws -> (error: StorageError?, url: URL, remains: [String]) {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 2)
      let before = try Database(at: url)
      try before.writeWithoutTransaction { db in
        try db.execute("PRAGMA foreign_keys = OFF")
        _ = try db.executeScript(SQL(unchecked: spoil))
      }
      try before.close()
      var migrator = LibraryVersions.migrator
      migrator.takesSnapshot = false
      migrator.lockTimeout = .seconds(3)
      change(&migrator)
      var found: StorageError?
      do {
        let database = try Database(
          at: url, .init(lockTimeout: .seconds(3)).migrating(with: migrator))
        #expect(try migrator.version(of: database) == migrator.versions.last)
      } catch {
        found = error as? StorageError
        #expect(found != nil, "\(error)")
      }
      let after = try Database(at: url)
      #expect(try after.integrityCheck() == [])
      let books = try after.fetchAll("SELECT id, title FROM book ORDER BY id") { row in
        "\(try row[0] as Int) \(try row[1] as String)"
      }
      return (found, url, books)
    }
  }

  private static let remake = "DROP TABLE undercroft_migration;"

  @Test(arguments: [
    "CREATE VIEW undercroft_migration AS SELECT 1 AS position, '1' AS version, NULL AS down",
    """
    CREATE VIEW undercroft_migration AS WITH RECURSIVE c(position, version, down) AS (
      SELECT 1, '1', NULL UNION ALL SELECT position + 1, '1', NULL FROM c) SELECT * FROM c
    """,
    "CREATE VIRTUAL TABLE undercroft_migration USING fts5(position, version, down)",
    "CREATE TABLE undercroft_migration (position, version, down)",
    "CREATE TABLE undercroft_migration (a)",
    """
    CREATE TABLE undercroft_migration (position INTEGER PRIMARY KEY, version, applied_at, origin, down);
    INSERT INTO undercroft_migration VALUES (1, NULL, 'x', 'x', NULL)
    """,
    """
    CREATE TABLE undercroft_migration (position INTEGER PRIMARY KEY, version, applied_at, origin, down);
    INSERT INTO undercroft_migration VALUES (1, x'31', 'x', 'x', NULL), (2, 2, 'x', 'x', NULL)
    """,
    """
    CREATE TABLE undercroft_migration (position INTEGER PRIMARY KEY, version, applied_at, origin, down);
    INSERT INTO undercroft_migration VALUES (1, '1', 'x', 'x', x'ff'), (2, '2', 'x', 'x', 7.5)
    """,
    """
    CREATE TABLE undercroft_migration (position, version, applied_at, origin, down);
    INSERT INTO undercroft_migration VALUES (9223372036854775807, '1', 'x', 'x', NULL),
      ('last', '2', 'x', 'x', NULL)
    """,
    """
    CREATE TABLE undercroft_migration (position INTEGER PRIMARY KEY, version, applied_at, origin, down);
    INSERT INTO undercroft_migration VALUES (-5, '1', 'x', 'x', NULL),
      (9223372036854775807, '2', 'x', 'x', NULL)
    """,
    """
    CREATE TABLE undercroft_migration (position INTEGER PRIMARY KEY, version, applied_at, origin, down);
    INSERT INTO undercroft_migration VALUES (1, '', 'x', 'x', NULL), (2, char(0, 10, 8238), 'x', 'x', NULL)
    """,
    """
    CREATE TABLE undercroft_migration (position INTEGER PRIMARY KEY, version, applied_at, origin, down);
    INSERT INTO undercroft_migration SELECT 1, hex(zeroblob(20000000)), 'x', 'x', NULL
    """,
  ])
  func `an oversized migration history is rejected quickly and with a short message`(table: String)
    throws
  {
    let began = workOfThisThread()
    let (error, _, books) = try opening(Self.remake + table)
    #expect(
      error?.code == .unknownVersion, "\(table): \(error.map { "\($0)".prefix(300) } ?? "opened")")
    #expect((error?.message.utf8.count ?? 0) < 2_000)
    #expect(books.count == 2)
    #expect(workOfThisThread() - began < .seconds(20))
  }

  @Test(arguments: [
    "DROP TABLE undercroft_migration_run",
    "DROP TABLE undercroft_migration_run; CREATE VIEW undercroft_migration_run AS SELECT 1",
    """
    DROP TABLE undercroft_migration_run; CREATE VIEW undercroft_migration_run AS
      WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
      SELECT 'x' AS start, NULL AS snapshot, NULL AS sliced_version, 0 AS has_cursor,
        NULL AS cursor, 0 AS is_sliced FROM c WHERE x < 0
    """,
    "INSERT INTO undercroft_migration_run VALUES (1, x'00', NULL, NULL, 0, NULL, 0)",
    "INSERT INTO undercroft_migration_run VALUES (1, '1', x'00', NULL, 0, NULL, 0)",
    "INSERT INTO undercroft_migration_run VALUES (1, '1', NULL, 'x', 'no', NULL, 0)",
    "INSERT INTO undercroft_migration_run VALUES (1, '1', NULL, '9', 1, x'00', 7)",
    "INSERT INTO undercroft_migration_run SELECT 1, hex(zeroblob(20000000)), 'x', NULL, 0, NULL, 0",
    "INSERT INTO undercroft_migration_run SELECT 1, '1', 'x', hex(zeroblob(20000000)), 0, NULL, 0",
  ])
  func `a manipulated record of an unfinished migration in the file is rejected`(spoil: String)
    throws
  {
    let (error, _, books) = try opening(spoil)
    #expect(
      error?.code == .unknownVersion, "\(spoil): \(error.map { "\($0)".prefix(300) } ?? "opened")")
    #expect((error?.message.utf8.count ?? 0) < 2_000)
    #expect(books.count == 2)
  }

  @Test(arguments: [
    "../../etc/passwd", "/etc/passwd", String(repeating: "../", count: 200), "", "\u{202E}",
    "library.sqlite",
  ])
  func `opening a file whose stored snapshot path is manipulated throws for every fallback`(
    name: String
  ) throws {
    for fallback in [MigrationFallback.restoreSnapshot, .recreate, .openReadOnly] {
      let quote = name.replacing("'", with: "''")
      var steps = LibraryVersions.steps
      steps[3] = MigrationStep("4", up: "INSERT INTO nowhere VALUES (1)")
      let broken = Migrator(steps, schema: LibraryVersions.newest)
      let (error, _, books) = try opening(
        "INSERT INTO undercroft_migration_run VALUES (1, '\(quote.isEmpty ? "x" : quote)', '\(quote)', NULL, 0, NULL, 0)"
      ) { migrator in
        migrator = broken
        migrator.fallback = { _ in fallback }
      }

      #expect(error != nil)
      #expect((error?.message.utf8.count ?? 0) < 4_000)
      #expect(books.count == 2)
    }
  }

  @Test
  func `a migration history whose position numbers are negative or not consecutive is accepted`()
    throws
  {
    let (error, _, books) = try opening(
      "UPDATE undercroft_migration SET position = -7 WHERE version = '1'; UPDATE undercroft_migration SET position = 900 WHERE version = '2'"
    )

    #expect(error == nil)
    #expect(books.count == 2)
  }

  @Test func `the migration history of an attached database is not used for the main database`()
    throws
  {
    try withTemporaryDirectory { directory in
      let other = directory.appending(path: "other.sqlite")
      try LibraryVersions.makeFile(at: other, version: 6)
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 2)
      let spoilt = try Database(at: url)
      try spoilt.execute("DROP TABLE undercroft_migration_run")
      try spoilt.close()
      let options = DatabaseOptions(attachments: [.init(other, as: "other")])

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, options.migrating(with: LibraryVersions.migrator))
      }
      #expect(error?.code == .unknownVersion)
    }
  }

  /// Down scripts of versions that only the file contains.
  @Test(arguments: [
    "ATTACH 'stray.sqlite' AS stray; CREATE TABLE stray.a (b)",
    "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'book'",
    "COMMIT; DELETE FROM book", "ROLLBACK; DELETE FROM book", "BEGIN; DELETE FROM book",
    "SAVEPOINT undercroft; DELETE FROM book; RELEASE undercroft; COMMIT",
    "DELETE FROM undercroft_migration", "DROP TABLE undercroft_migration",
    "ALTER TABLE undercroft_migration RENAME TO other",
    "INSERT INTO undercroft_migration VALUES (99, '6', 'x', 'x', NULL)",
    "UPDATE undercroft_migration SET version = 'x' WHERE version = '2'",
    "UPDATE undercroft_migration SET down = 'DROP TABLE book' WHERE version = '2'",
    "DELETE FROM book; INSERT OR ROLLBACK INTO undercroft_migration SELECT * FROM undercroft_migration",
    "CREATE TEMP TRIGGER a BEFORE DELETE ON undercroft_migration BEGIN SELECT RAISE(IGNORE); END",
    "VACUUM", "PRAGMA journal_mode = DELETE", "DETACH main", "SELECT load_extension('x')",
  ])
  func
    `a downgrade rejects a malicious down script stored in the file and leaves the rows unchanged`(
      script: String
    )
    throws
  {
    let quote = script.replacing("'", with: "''")
    let (error, _, books) = try opening(
      "INSERT INTO undercroft_migration VALUES (3, '3', 'x', 'step', '\(quote)')"
    ) { migrator in
      migrator = Migrator(
        Array(LibraryVersions.steps.prefix(2)),
        schema:
          "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL, isbn TEXT)"
      )
      migrator.newerVersionPolicy = .downgrade
    }

    let harmless = ["PRAGMA journal_mode"]
    if !harmless.contains(where: { script.hasPrefix($0) }) {
      #expect(error != nil, "\(script) passed")
    }
    #expect(books.count == 2, "\(script)")
  }
}
