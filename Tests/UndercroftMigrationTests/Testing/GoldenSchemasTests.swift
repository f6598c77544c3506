import Foundation
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftMigrationTesting
import UndercroftSQLite

/// Tests of the files of golden schemas, which are written once and then left unchanged.
struct GoldenSchemasTests {
  @Test
  func `exporting golden schemas writes one file per version, and a second export changes no file`()
    throws
  {
    let library = LibrarySchemas()
    let schemas = GoldenSchemas(in: library.folder)
    #expect(try schemas.versions() == [])
    #expect(try schemas.schema(of: "1") == nil)
    let migrator = try LibrarySchemas.migrator()

    #expect(try schemas.export(migrator).map(\.result) == Array(repeating: .written, count: 6))
    #expect(try schemas.versions() == ["1", "2", "3", "4", "5", "6"])
    #expect(try schemas.export(migrator).map(\.result) == Array(repeating: .unchanged, count: 6))

    let first = try #require(try schemas.schema(of: "1"))
    #expect(first.text.hasPrefix("-- Version \"1\" of the schema"))
    #expect(first.text.contains("INSERT INTO \"shelf\" (\"id\", \"name\") VALUES (1, 'new');"))
    let mode = try FileManager.default.attributesOfItem(atPath: schemas.location(of: "1").path)
    #expect(mode[.posixPermissions] as? Int == 0o644)
  }

  @Test
  func `exporting a schema does not overwrite a golden file that differs only in comments`() throws
  {
    let library = LibrarySchemas()
    let migrator = try library.exported(count: 1)
    let schemas = GoldenSchemas(in: library.folder)
    let text = try #require(try schemas.schema(of: "1")).text + "-- by hand\n"
    try text.write(to: schemas.location(of: "1"), atomically: true, encoding: .utf8)

    #expect(try schemas.export(migrator, overwriting: true).map(\.result) == [.unchanged])
    #expect(try schemas.schema(of: "1")?.text == text)
  }

  @Test
  func
    `by default, a golden schema export that would change an existing file throws and writes nothing`()
    throws
  {
    let library = LibrarySchemas()
    try library.exported(count: 2)
    let schemas = GoldenSchemas(in: library.folder)
    let changed = MigrationStep("2", up: "ALTER TABLE book ADD COLUMN code TEXT")
    let migrator = try LibrarySchemas.migrator(
      replacing: [1: changed, 3: MigrationStep("4", up: "SELECT 1")], count: 4)

    let error = #expect(throws: StorageError.self) { try schemas.export(migrator) }
    #expect(error?.code == .misuse)
    #expect(error?.message.contains("version \"2\": ~ table book: + code TEXT") == true)
    #expect(error?.message.contains("version \"2\": ~ table book: - isbn TEXT") == true)
    #expect(try schemas.versions() == ["1", "2"])
    #expect(try schemas.schema(of: "2")?.text.contains("isbn") == true)

    #expect(
      try schemas.export(migrator, overwriting: true).map(\.result)
        == [.unchanged, .overwritten, .written, .written])
  }

  @Test
  func `versions after MigrationStep.base are built from the golden file of the base version`()
    throws
  {
    let library = LibrarySchemas()
    try library.exported(count: 3)
    let schemas = GoldenSchemas(in: library.folder)
    for version in ["1", "3"] {
      try FileManager.default.removeItem(at: schemas.location(of: version))
    }
    let migrator = Migrator(
      [.base("2")] + LibrarySchemas.steps[2..<4],
      schema: try LibrarySchemas.migrator(count: 4).schema)

    #expect(try schemas.export(migrator).map(\.result) == [.unchanged, .written, .written])

    var test = MigrationTest(migrator, schemas: library.folder)
    test.seededTables = ["shelf"]
    try test.verify(rowsPerTable: 10)

    let other = LibrarySchemas()
    let error = #expect(throws: StorageError.self) {
      try GoldenSchemas(in: other.folder).export(migrator)
    }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("\"2.sql\"") == true)
  }

  @Test
  func `a golden file is written inside the schema folder even if the version name has slashes`()
    throws
  {
    let library = LibrarySchemas()
    let odd = "../Größe %2f \"x\""
    let migrator = Migrator(
      [MigrationStep(odd, up: "CREATE TABLE book (id)")], schema: "CREATE TABLE book (id)")
    let schemas = GoldenSchemas(in: library.folder)

    try schemas.export(migrator)

    #expect(try schemas.versions() == [odd])
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder.path).count == 1)
    try MigrationTest(migrator, schemas: library.folder).verify()
  }

  @Test func `exporting and verifying a schema use the custom collations of the database options`()
    throws
  {
    let library = LibrarySchemas()
    var options = DatabaseOptions()
    options.setUp = { db in
      try db.add(
        SQLCollation("shelfwise") { one, other in (one.count, one) < (other.count, other)
        })
    }
    let schema: SQL =
      "CREATE TABLE book (title TEXT COLLATE shelfwise); CREATE INDEX titles ON book (title)"
    let migrator = Migrator([MigrationStep("1", up: schema)], schema: schema)
    let schemas = GoldenSchemas(in: library.folder)

    try schemas.export(migrator, options)
    try MigrationTest(migrator, schemas: library.folder, options).verify(rowsPerTable: 5)

    #expect(throws: StorageError.self) { try schemas.export(migrator) }
  }
}
