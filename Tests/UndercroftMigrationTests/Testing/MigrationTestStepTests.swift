import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftMigrationTesting
import UndercroftSQLite

/// Tests that `MigrationTest` reports each mistake of the steps of a migrator.
@Suite struct MigrationTestStepTests {
  /// Returns a migrator with a step that drops a column, by a schema tool or by SQL only.
  private static func dropping(byTool: Bool) -> Migrator {
    Migrator(
      [
        MigrationStep(
          "1",
          up: """
            CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT NOT NULL, section TEXT NOT NULL)
            """),
        MigrationStep("2") { db in
          if byTool {
            try db.dropColumn("section", of: "page")
          } else {
            try db.execute("ALTER TABLE page DROP COLUMN section")
          }
        },
      ], schema: "CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
  }

  @Test
  func `MigrationTest reports a step that fails because of an index that a Swift table declares`()
    throws
  {
    let library = LibrarySchemas()
    let migrator = Self.dropping(byTool: false)
    try GoldenSchemas(in: library.folder).export(migrator)

    let found = try problems(migrator, in: library) { $0.intendedChanges = ["page.section"] }

    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("1 → 2, with the indexes of declared tables: ") == true)
    #expect(
      try problems(migrator, in: library) { test in
        test.intendedChanges = ["page.section"]
        test.undeclared = ["Page.SECTION"]
      } == [])
  }

  @Test
  func `MigrationTest accepts a step that drops an indexed column with dropColumn`()
    throws
  {
    let library = LibrarySchemas()
    let migrator = Self.dropping(byTool: true)
    try GoldenSchemas(in: library.folder).export(migrator)

    let found = try problems(migrator, in: library) { $0.intendedChanges = ["page.section"] }

    #expect(found == [])
  }

  @Test(arguments: ["DELETE FROM address", "UPDATE address SET city = upper(city) || '!'"])
  func `MigrationTest reports a step that damages values while moving them to another table`(
    spoil: String
  )
    throws
  {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "undercroft-migration-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    func migrator(_ more: String) -> Migrator {
      Migrator(
        [
          MigrationStep(
            "1", up: "CREATE TABLE reader (id INTEGER PRIMARY KEY, name TEXT, city TEXT)"),
          MigrationStep("2") { db in
            try db.splitTable("reader", moving: ["city"], to: "address", key: "id")
            try db.executeScript(SQL(unchecked: more))
          },
        ],
        schema: """
          CREATE TABLE reader (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE address (id INTEGER PRIMARY KEY REFERENCES reader (id) ON DELETE CASCADE,
            city TEXT)
          """)
    }
    func problems(_ migrator: Migrator) throws -> [String] {
      var test = MigrationTest(migrator, schemas: folder)
      test.exporting = .none
      do {
        try test.verify(rowsPerTable: 20)
        return []
      } catch let failure as MigrationTestFailure {
        return failure.problems.map(\.message)
      }
    }

    try GoldenSchemas(in: folder).export(migrator(""))
    let sound = try problems(migrator("")).filter { $0.contains("no column contains") }
    #expect(sound == [])

    let spoilt = try problems(migrator(spoil))
    #expect(
      spoilt.contains {
        $0.contains("city") && $0.contains("no column contains all values of this column")
      }, "\(spoilt)")
  }

  @Test
  func `MigrationTest reports a step that loses rows unless intendedChanges contains the table`()
    throws
  {
    let library = LibrarySchemas()
    try library.exported(count: 2)
    let step = MigrationStep(
      "2", up: "ALTER TABLE book ADD COLUMN isbn TEXT; DELETE FROM book WHERE id % 2 = 0")
    let migrator = try LibrarySchemas.migrator(replacing: [1: step], count: 2)

    let found = try problems(migrator, in: library)

    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("1 → 2: table \"book\": has ") == true)
    #expect(found.first?.hasSuffix(" rows instead of 20") == true)

    #expect(try problems(migrator, in: library) { $0.intendedChanges = ["Book"] } == [])
  }

  @Test
  func `MigrationTest reports a step that changes values unless intendedChanges lists the table`()
    throws
  {
    let library = LibrarySchemas()
    try library.exported(count: 2)
    let step = MigrationStep(
      "2",
      up: "ALTER TABLE book ADD COLUMN isbn TEXT; UPDATE book SET pages = 1, title = upper(title)")
    let migrator = try LibrarySchemas.migrator(replacing: [1: step], count: 2)

    let found = try problems(migrator, in: library)

    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.hasPrefix("1 → 2: table \"book\": column ") })

    let one = try problems(migrator, in: library) { $0.intendedChanges = ["book.title"] }
    #expect(one.count == 1)
    #expect(one.first?.contains("column \"pages\"") == true)
  }

  @Test func `MigrationTest reports a step that swaps values between rows`() throws {
    let library = LibrarySchemas()
    try library.exported(count: 2)
    let step = MigrationStep(
      "2",
      up: """
        ALTER TABLE book ADD COLUMN isbn TEXT;
        CREATE TEMP TABLE turned AS SELECT row_number() OVER (ORDER BY id) AS n, title FROM book;
        UPDATE book SET title = (SELECT title FROM turned WHERE n = 1 + (SELECT count(*) FROM book AS b WHERE b.id < book.id AND 1) % (SELECT count(*) FROM book))
          WHERE 1;
        UPDATE book SET title = (SELECT title FROM turned WHERE n = 1 + (1 + (SELECT count(*) FROM book AS b WHERE b.id < book.id)) % (SELECT count(*) FROM book));
        DROP TABLE turned
        """)
    let migrator = try LibrarySchemas.migrator(replacing: [1: step], count: 2)

    #expect(
      try problems(migrator, in: library)
        == ["1 → 2: table \"book\": values moved to other rows"])
  }

  @Test func `MigrationTest reports a step that leaves an additional table`() throws {
    let library = LibrarySchemas()
    try library.exported(count: 2)
    let step = MigrationStep(
      "2", up: "ALTER TABLE book ADD COLUMN isbn TEXT; CREATE TABLE leftover (x)")
    let migrator = try LibrarySchemas.migrator(replacing: [1: step], count: 2)

    let found = try problems(migrator, in: library)

    #expect(
      found.contains(
        "1 → 2: the schema differs from the golden file \"2.sql\": + table leftover (x)"))
  }

  @Test func `MigrationTest reports a down step that does not restore the schema or the values`()
    throws
  {
    let library = LibrarySchemas()
    try library.exported(count: 2)
    let unchanged = MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT").down("SELECT 1")
    let first = try problems(
      try LibrarySchemas.migrator(replacing: [1: unchanged], count: 2), in: library)
    #expect(first.count == 1)
    #expect(first.first?.hasPrefix("1 → 2 → 1: ") == true)
    #expect(first.first?.contains("~ table book: - isbn TEXT") == true)

    let spoilt = MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT")
      .down("ALTER TABLE book DROP COLUMN isbn; UPDATE book SET title = 'lost'")
    let second = try problems(
      try LibrarySchemas.migrator(replacing: [1: spoilt], count: 2), in: library)
    #expect(
      second == [
        "1 → 2 → 1: table \"book\": column \"title\": 20 of 20 rows have different values"
      ])
  }

  @Test func `MigrationTest reports a step that fails on existing rows`() throws {
    let library = LibrarySchemas()
    try library.exported(count: 2)
    let step = MigrationStep(
      "2",
      up:
        "ALTER TABLE book ADD COLUMN isbn TEXT; CREATE UNIQUE INDEX one ON book (shelf); DROP INDEX one"
    )

    let found = try problems(
      try LibrarySchemas.migrator(replacing: [1: step], count: 2), in: library)

    #expect(found.count == 1)
    #expect(found.first?.contains("1 → 2: ") == true)
    #expect(found.first?.contains("UNIQUE constraint failed") == true)
  }

  @Test func `MigrationTest reports a table whose CHECK constraint no generated row satisfies`()
    throws
  {
    let library = LibrarySchemas()
    let step = MigrationStep(
      "1", up: "CREATE TABLE riddle (a TEXT CHECK (a GLOB 'x[0-9]y' || '*z'))")
    let migrator = Migrator(
      [step, MigrationStep("2", up: "CREATE TABLE shelf (id)")],
      schema:
        "CREATE TABLE riddle (a TEXT CHECK (a GLOB 'x[0-9]y' || '*z')); CREATE TABLE shelf (id)")
    try GoldenSchemas(in: library.folder).export(migrator)

    let found = try problems(migrator, in: library)
    #expect(found == [])

    let strict = MigrationStep(
      "1", up: "CREATE TABLE riddle (a TEXT NOT NULL CHECK (a GLOB 'x[0-9]y' || '*z'))")
    let other = Migrator(
      [strict], schema: "CREATE TABLE riddle (a TEXT NOT NULL CHECK (a GLOB 'x[0-9]y' || '*z'))")
    try GoldenSchemas(in: library.folder).export(other, overwriting: true)
    try FileManager.default.removeItem(at: GoldenSchemas(in: library.folder).location(of: "2"))
    #expect(try problems(other, in: library) == [])

    let two = Migrator(
      [strict, MigrationStep("2", up: "CREATE TABLE shelf (id)")],
      schema:
        "CREATE TABLE riddle (a TEXT NOT NULL CHECK (a GLOB 'x[0-9]y' || '*z')); CREATE TABLE shelf (id)"
    )
    try GoldenSchemas(in: library.folder).export(two)
    #expect(
      try problems(two, in: library) == [
        "1: table \"riddle\": no generated row satisfies its conditions"
      ])
  }
}
