import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftMigrationTesting
import UndercroftSQLite

/// Tests of the paths, the golden files, the generated rows and the closures of `MigrationTest`.
@Suite struct MigrationTestTests {
  @Test(.heavy)
  func `MigrationTest covers each upward path, and each downward path with revertible steps`()
    throws
  {
    let library = LibrarySchemas()
    let migrator = try library.exported()
    var test = MigrationTest(migrator, schemas: library.folder)
    test.seededTables = ["shelf"]

    let ways = try test.verify(rowsPerTable: 30)
    for (index, origin) in migrator.versions.enumerated() {
      for (other, target) in migrator.versions.enumerated() where other != index {
        let isGone = ways.contains { $0.from == origin && $0.to == target }
        // The last step has no down step.
        #expect(isGone == (other > index || index < 5), "\(origin) → \(target)")
      }
    }

    let way = try #require(ways.first { $0.from == "3" && $0.to == "6" })
    #expect(way.rowsBefore["loan"] == 30)
    #expect(way.rowsAfter["loan"] == 30)
    #expect(way.rowsAfter["shelf"] == 2)
  }

  @Test(.heavy)
  func `rows generated with the same seed are equal, and rows of different seeds differ`() throws {
    let library = LibrarySchemas()
    let migrator = try library.exported()
    func titles(_ seed: UInt64) throws -> [String] {
      let seen = Mutex<[String]>([])
      var test = MigrationTest(migrator, schemas: library.folder)
      test.seededTables = ["Shelf"]
      test.check = { db, origin, version in
        guard origin == "2", version == "3" else { return }
        let titles = try db.fetchAll("SELECT title FROM book ORDER BY id") { try $0[0] as String }
        seen.withLock { $0 = titles }
      }
      try test.verify(rowsPerTable: 20, seed: seed)
      return seen.withLock { $0 }
    }

    #expect(try titles(1) == titles(1))
    #expect(try titles(1) != titles(2))
    #expect(try Set(titles(1)).count > 10)
  }

  @Test
  func
    `if a step drops an index, MigrationTest names the version and the migration to that version`()
    throws
  {
    let library = LibrarySchemas()
    try library.exported(count: 2)
    let step = MigrationStep(
      "2", up: "ALTER TABLE book ADD COLUMN isbn TEXT; DROP INDEX book_title")
    let migrator = try LibrarySchemas.migrator(
      replacing: [1: step], count: 2,
      schema: try #require(try GoldenSchemas(in: library.folder).schema(of: "2")).script)

    let found = try problems(migrator, in: library)

    #expect(
      found.first
        == "2: the steps create another schema than the golden file \"2.sql\": - index book_title")
    #expect(found.count == 2)
    #expect(found.last?.hasPrefix("1 → 2: ") == true)
    #expect(
      found.last?.contains("+ index book_title: CREATE INDEX book_title ON book (title)") == true)
  }

  @Test func `MigrationTest reports a golden file that differs from the schema of the steps`()
    throws
  {
    let library = LibrarySchemas()
    let migrator = try library.exported(count: 2)
    let schemas = GoldenSchemas(in: library.folder)
    let text = try #require(try schemas.schema(of: "1")).text
    try text.replacing("title TEXT NOT NULL", with: "title TEXT").write(
      to: schemas.location(of: "1"), atomically: true, encoding: .utf8)

    let found = try problems(migrator, in: library)

    #expect(
      found.contains(
        "1: the steps create another schema than the golden file \"1.sql\": ~ table book: ~ title TEXT -> title TEXT NOT NULL"
      ))

    let error = #expect(throws: StorageError.self) { try schemas.export(migrator) }
    #expect(error?.message.contains("~ table book: ~ title TEXT -> title TEXT NOT NULL") == true)
    #expect(try schemas.schema(of: "1")?.text.contains("title TEXT,") == true)
  }

  @Test
  func `MigrationTest reports a golden file if a row that the steps insert is missing in the file`()
    throws
  {
    let library = LibrarySchemas()
    let migrator = try library.exported(count: 3)
    let schemas = GoldenSchemas(in: library.folder)
    let text = try #require(try schemas.schema(of: "3")).text
    let row = "INSERT INTO \"shelf\" (\"id\", \"name\") VALUES (2, 'returned');\n"
    #expect(text.contains(row))
    try text.replacing(row, with: "").write(
      to: schemas.location(of: "3"), atomically: true, encoding: .utf8)

    let found = try problems(migrator, in: library)

    #expect(
      found.prefix(2) == [
        "3: the steps create another schema than the golden file \"3.sql\": table \"shelf\": has 2 rows instead of 1",
        "new → 3: the migrator's schema differs from the golden file \"3.sql\": table \"shelf\": has 2 rows instead of 1",
      ])
    #expect(
      found.dropFirst(2) == [
        "1 → 3: table \"shelf\": has 2 rows instead of 1 in \"3.sql\"",
        "2 → 3: table \"shelf\": has 2 rows instead of 1 in \"3.sql\"",
      ])
  }

  @Test func `MigrationTest reports a migrator whose schema differs from the newest golden file`()
    throws
  {
    let library = LibrarySchemas()
    try library.exported(count: 2)
    let migrator = try LibrarySchemas.migrator(count: 2, schema: "CREATE TABLE shelf (id INTEGER)")

    let found = try problems(migrator, in: library)

    #expect(
      found.allSatisfy {
        $0.hasPrefix("new → 2: the migrator's schema differs from the golden file \"2.sql\": ")
      })
    #expect(found.contains { $0.hasSuffix("- table book") })
  }

  @Test
  func `MigrationTest verifies the same migrations whether or not the migrator has a schema`()
    throws
  {
    let library = LibrarySchemas()
    try library.exported(count: 4)
    var test = MigrationTest(
      Migrator(Array(LibrarySchemas.steps.prefix(4))), schemas: library.folder)
    test.seededTables = ["shelf"]
    let verified = try test.verify(rowsPerTable: 5)
    test = MigrationTest(try LibrarySchemas.migrator(count: 4), schemas: library.folder)
    test.seededTables = ["shelf"]

    #expect(try test.verify(rowsPerTable: 5) == verified)
    #expect(verified.count >= 6)
  }

  @Test
  func `if the migrator has no schema, MigrationTest reports a step changed after the export`()
    throws
  {
    let library = LibrarySchemas()
    try library.exported(count: 2)
    var steps = Array(LibrarySchemas.steps.prefix(2))
    steps[1] = MigrationStep("2", up: "ALTER TABLE book ADD COLUMN code TEXT")

    let found = try problems(Migrator(steps), in: library)

    #expect(found.contains { $0.hasPrefix("2: the steps") && $0.hasSuffix("+ code TEXT") })
    #expect(!found.contains { $0.hasPrefix("new → 2") })
  }

  @Test func `MigrationTest reports a missing golden file and a superfluous golden file`() throws {
    let library = LibrarySchemas()
    let migrator = try library.exported(count: 3)
    let schemas = GoldenSchemas(in: library.folder)
    try FileManager.default.moveItem(
      at: schemas.location(of: "2"), to: schemas.location(of: "9"))
    var test = MigrationTest(migrator, schemas: library.folder)
    test.exporting = .none
    test.seededTables = ["shelf"]

    let failure = #expect(throws: MigrationTestFailure.self) { try test.verify(rowsPerTable: 5) }

    #expect(failure?.problems.map(\.path) == ["2", "9"])
    #expect(failure?.description.contains("UNDERCROFT_EXPORT_SCHEMAS=1") == true)
  }

  @Test
  func `MigrationTest writes missing golden files if an environment variable requests the files`()
    throws
  {
    let library = LibrarySchemas()
    let migrator = try LibrarySchemas.migrator(count: 3)
    var test = MigrationTest(migrator, schemas: library.folder)
    test.seededTables = ["shelf"]
    test.exporting = SchemaExporting(["UNDERCROFT_EXPORT_SCHEMAS": "1"])
    try test.verify(rowsPerTable: 5)
    #expect(try test.schemas.versions() == ["1", "2", "3"])

    // A file that differs is reported, and overwritten only on request.
    try "CREATE TABLE shelf (id INTEGER);".write(
      to: test.schemas.location(of: "2"), atomically: true, encoding: .utf8)
    #expect(throws: MigrationTestFailure.self) { try test.verify(rowsPerTable: 5) }
    test.exporting = SchemaExporting(["UNDERCROFT_EXPORT_SCHEMAS": "overwrite"])
    try test.verify(rowsPerTable: 5)
    test.exporting = SchemaExporting([:])
    try test.verify(rowsPerTable: 5)
  }

  @Test
  func `MigrationTest calls closures that insert rows before a migration and check rows after it`()
    throws
  {
    let library = LibrarySchemas()
    let migrator = try library.exported(count: 3)
    let found = try problems(migrator, in: library) { test in
      test.fill = { db, version in
        try db.execute("INSERT INTO book (id, title, shelf) VALUES (77, 'Solaris', 1)")
      }
      test.check = { db, origin, version in
        let titles: [String] = try db.fetchAll("SELECT title FROM book") { row in try row[0] }
        #expect(titles == ["Solaris"])
        if version == "3" { throw StorageError(.misuse, "there is no such book") }
      }
    }

    #expect(found.count == 2)
    #expect(
      found.first == "1 → 3: the closure MigrationTest.check threw an error: there is no such book")
  }

  @Test func `MigrationTest throws a misuse error if two steps have the same version`() throws {
    let library = LibrarySchemas()
    let migrator = Migrator(
      [MigrationStep("1", up: "SELECT 1"), MigrationStep("1", up: "SELECT 1")], schema: "SELECT 1")

    let error = #expect(throws: StorageError.self) {
      try MigrationTest(migrator, schemas: library.folder).verify()
    }

    #expect(error?.code == .misuse)
  }
}
