import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftMigrationTesting

// The code of Docs/Guides/Migrating.md: tools and testing.

@Suite struct MigratingToolsGuideTests {
  private static let schema: SQL = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, isbn TEXT, pages TEXT, blurb TEXT,
      cover BLOB, sort_title TEXT);
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    INSERT INTO book (title, isbn, pages, blurb) VALUES ('The Moonstone', '1', '440', 'A diamond');
    """

  /// Runs a step on the old tables.
  private func migrated(
    _ step: @escaping @Sendable (Connection, MigrationProgress) throws -> Void
  ) throws -> Database {
    let migrator = Migrator(
      [
        MigrationStep("1", up: Self.schema), MigrationStep("2", up: step),
        MigrationStep("3", up: "DROP TABLE book"),
      ], schema: Self.schema)
    let database = try Database.inMemory()
    try migrator.migrate(database, to: "1")
    try migrator.migrate(database, to: "2")
    return database
  }

  @Test
  func `a migration step can rename tables and columns, drop columns and change column types`()
    throws
  {
    let database = try migrated { db, _ in
      try db.renameTable("author", to: "writer")
      try db.renameColumn("isbn", of: "book", to: "code")
      try db.dropColumn("cover", of: "book")
      try db.changeColumn(
        "pages", of: "book", to: "INTEGER NOT NULL DEFAULT 0", converting: "ifnull(pages, 0)")
    }
    #expect(try database.fetchValue("SELECT pages FROM book WHERE code = '1'", as: Int.self) == 440)
    #expect(try database.read { db in try db.tableExists("writer") })
  }

  @Test func `a migration step can rebuild a table with another declaration`() throws {
    let database = try migrated { db, _ in
      try db.rebuildTable(
        "book",
        as: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),
            pages INTEGER, blurb TEXT) STRICT
          """,
        copying: ["pages": "CAST(pages AS INTEGER)"], dropping: ["isbn", "cover", "sort_title"])
    }
    #expect(try database.fetchValue("SELECT pages FROM book", as: Int.self) == 440)
  }

  @Test func `a migration step can convert and copy rows with a closure`() throws {
    let database = try migrated { db, progress in
      try db.convertRows(
        of: "book", reading: ["title"], writing: ["sort_title"], progress: progress
      ) { row in
        let title: String = try row["title"]
        return [title.hasPrefix("The ") ? String(title.dropFirst(4)) : title]
      }
      try db.copyRows(from: "SELECT DISTINCT title FROM book", into: "author", columns: ["name"]) {
        row in ["author of \(try row[0] as String)"]
      }
    }
    #expect(try database.fetchValue("SELECT sort_title FROM book", as: String.self) == "Moonstone")
    #expect(
      try database.fetchValue("SELECT name FROM author", as: String.self)
        == "author of The Moonstone")
  }

  @Test func `a migration step can split a table, and mergeTable can merge the two tables again`()
    throws
  {
    let database = try migrated { db, _ in
      try db.splitTable("book", moving: ["blurb", "cover"], to: "book_detail", key: "id")
    }
    #expect(
      try database.fetchValue("SELECT blurb FROM book_detail", as: String.self) == "A diamond")
    try database.writeWithoutTransaction { db in
      try db.execute("PRAGMA foreign_keys = OFF")
      try db.mergeTable("book_detail", into: "book", key: "id")
    }
    #expect(try database.fetchValue("SELECT blurb FROM book", as: String.self) == "A diamond")
  }

  @Test func `a migration test verifies all paths between all versions`() throws {
    try withTemporaryDirectory { schemas in
      try GoldenSchemas(in: schemas).export(libraryMigrator)
      var test = MigrationTest(libraryMigrator, schemas: schemas)
      test.intendedChanges = ["author"]  // the third step fills it
      try test.verify()
    }
  }
}
