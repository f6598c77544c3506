import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of the command `migrations` on databases that a migrator, GRDB or no migrator has written.
@Suite struct MigrationsCommandTests {
  private static let migrator = Migrator(
    [
      MigrationStep("1", up: "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT)"),
      MigrationStep("2 with isbn", up: "ALTER TABLE book ADD COLUMN isbn TEXT")
        .down("ALTER TABLE book DROP COLUMN isbn"),
    ])

  @Test func `migrations lists the versions of a database with their times and origins`() throws {
    try withLibrary { folder, url in
      let database = try Database(at: url)
      try Self.migrator.migrate(database, to: "1")
      try Self.migrator.migrate(database)
      try database.close()

      try expectUnchanged(folder) {
        let rows = try InspectorRows.of("migrations", url.path)

        #expect(rows.map { $0["version"] as? String } == ["1", "2 with isbn"])
        #expect(rows.map { $0["position"] as? Int } == [1, 2])
        #expect(rows.map { $0["state"] as? String } == ["applied", "current"])
        #expect(rows.map { $0["origin"] as? String } == ["created", "step"])
        #expect(rows.map { $0["revertible"] as? Bool } == [false, true])
        #expect(rows.allSatisfy { ($0["appliedAt"] as? String)?.count == 20 })
        #expect(rows.allSatisfy { $0["recorder"] as? String == "undercroft" })
      }
    }
  }

  @Test func `migrations of a home reads the database while the application has it open`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let database = try Storage(home: directory).database(for: .record)
      let steps = [
        MigrationStep(
          "1",
          up: """
            CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE book(
              id TEXT PRIMARY KEY NOT NULL, title TEXT, author INTEGER REFERENCES author(id));
            """), MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT"),
      ]
      try Migrator(steps, adopting: .baseline("1")).migrate(database)

      let rows = try home.rows("migrations")

      #expect(rows.map { $0["kind"] as? String } == ["record", "record"])
      #expect(rows.map { $0["origin"] as? String } == ["adopted", "step"])
      try database.write { db in try db.execute("INSERT INTO book(id) VALUES ('b9')") }
    }
  }

  @Test func `a database without a history is reported with the number in its header`() throws {
    try withLibrary { _, url in
      try SQLiteShell.run("CREATE TABLE book(title); PRAGMA user_version = 7", on: url)

      let rows = try InspectorRows.of("migrations", url.path)

      #expect(rows.map { $0["state"] as? String } == ["no history"])
      #expect(rows.map { $0["userVersion"] as? Int } == [7])
      #expect(rows.first?["version"] == nil)
    }
  }

  @Test func `the migrations that GRDB has recorded are listed in their order`() throws {
    try withLibrary { _, url in
      try SQLiteShell.run(
        """
        CREATE TABLE grdb_migrations(identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('createBook'), ('addISBN')
        """, on: url)

      let rows = try InspectorRows.of("migrations", url.path)

      #expect(rows.map { $0["version"] as? String } == ["createBook", "addISBN"])
      #expect(rows.allSatisfy { $0["recorder"] as? String == "GRDB" })
    }
  }

  @Test func `a step of which only some slices ran is listed as partial`() throws {
    try withLibrary { _, url in
      let database = try Database(at: url)
      try Self.migrator.migrate(database, to: "1")
      try database.close()
      try SQLiteShell.run(
        "INSERT INTO undercroft_migration_run VALUES (1, '1', NULL, '2 with isbn', 0, NULL, 0)",
        on: url)

      let rows = try InspectorRows.of("migrations", url.path)

      #expect(rows.map { $0["version"] as? String } == ["1", "2 with isbn"])
      #expect(rows.map { $0["state"] as? String } == ["unfinished", "partial"])
    }
  }

  @Test(arguments: [
    "CREATE TABLE undercroft_migration(position, version)",
    "CREATE VIEW undercroft_migration AS SELECT 1",
    "CREATE VIEW grdb_migrations AS SELECT 1 AS identifier",
    """
    CREATE TABLE undercroft_migration(position, version, applied_at, origin, down);
    INSERT INTO undercroft_migration VALUES ('first', x'00ff', NULL, 4, 1.5)
    """,
    """
    CREATE TABLE undercroft_migration(position, version, applied_at, origin, down);
    CREATE TABLE undercroft_migration_run(id)
    """,
  ])
  func `a history with another structure is reported as damage with status 65`(
    schema: String
  ) throws {
    try withLibrary { _, url in
      let runs =
        "CREATE TABLE undercroft_migration_run(id); INSERT INTO undercroft_migration_run VALUES (1)"
      try SQLiteShell.run(
        schema.replacing("CREATE TABLE undercroft_migration_run(id)", with: runs), on: url)

      let answer = try run("migrations", url.path)

      #expect(answer.status == 65)
      #expect(answer.errors.contains("does not have the structure of a migration history"))
    }
  }

  @Test func `a path without a database ends with status 66`() throws {
    try withTemporaryDirectory { directory in
      let storage = try Storage(home: directory)
      try storage.save("dark", for: StorageKey("theme", kind: .preference, default: ""))

      let answer = try run("migrations", directory.path, "--kind", "preference")

      #expect(answer.status == 66)
      #expect(answer.errors.contains("is a database with migrations"))
    }
  }

  private func withLibrary(_ body: (_ folder: URL, _ database: URL) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      try body(folder, folder.appending(path: "library.sqlite"))
    }
  }
}
