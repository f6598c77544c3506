import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

@Suite struct CTPersistanceAdoptionTests {
  private static let versions = ["kCTPersistanceInitVersion": "1", "2.0": "2"]

  private func migrator(_ adoptions: MigrationAdoption...) -> Migrator {
    var migrator = Migrator(
      [
        .base("1"),
        MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT"),
        MigrationStep("3", up: "CREATE INDEX book_by_title ON book (title)"),
      ],
      schema: """
        CREATE TABLE book (author TEXT NOT NULL, title TEXT NOT NULL, id INTEGER PRIMARY KEY AUTOINCREMENT, isbn TEXT);
        CREATE INDEX book_by_title ON book (title);
        """)
    migrator.adoptions = adoptions
    return migrator
  }

  private func change(_ script: SQL, _ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let url = try Fixture.ctPersistance.copy(into: directory)
      try Fixture.change(url, script)
      try body(url)
    }
  }

  @Test(.behaviour("A-CT-M08"))
  func `a CTPersistance database is migrated from the version in its version table`() throws {
    try withTemporaryDirectory { directory in
      let url = try Fixture.ctPersistance.copy(into: directory)
      let database = try Database(
        at: url, .init(migrator: migrator(.ctPersistance(Self.versions))))
      #expect(try recorded(database) == ["1 adopted", "2 adopted", "3 step"])
      #expect(
        try database.fetchAll("SELECT title FROM book ORDER BY id") { try $0[0] as String } == [
          "Emma", "Persuasion",
        ])
      let foreign = try database.fetchAll(
        "SELECT identifier, databaseVersion FROM kCTPersistanceVersionTableName"
      ) { row in "\(try row[0] as Int) \(try row[1] as String)" }
      #expect(foreign == ["1 2.0"])
    }
  }

  @Test
  func `a CTPersistance version table with the initial version or several rows is adopted`() throws
  {
    try change(
      """
      UPDATE kCTPersistanceVersionTableName SET databaseVersion = 'kCTPersistanceInitVersion';
      ALTER TABLE book DROP COLUMN isbn;
      """
    ) { url in
      let database = try Database(
        at: url, .init(migrator: migrator(.ctPersistance(Self.versions))))
      #expect(try recorded(database) == ["1 adopted", "2 step", "3 step"])
    }

    try change(
      """
      ALTER TABLE kCTPersistanceVersionTableName RENAME TO other;
      CREATE TABLE KCTPERSISTANCEVERSIONTABLENAME (Identifier INTEGER PRIMARY KEY, DATABASEVERSION TEXT);
      INSERT INTO KCTPERSISTANCEVERSIONTABLENAME
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      SELECT i, CASE i WHEN 5000 THEN '2' ELSE 'other' END FROM n;
      """
    ) { url in
      let database = try Database(at: url, .init(migrator: migrator(.ctPersistance())))
      #expect(try recorded(database) == ["1 adopted", "2 adopted", "3 step"])
    }
  }

  @Test(.behaviour("A-CT-M12"))
  func `a file whose CTPersistance version is missing or unmapped is rejected and not changed`()
    throws
  {
    let stated = migrator(.ctPersistance(Self.versions))
    let file = Fixture.ctPersistance
    try file.refused(migrator(), "no migration history")
    try file.refused(migrator(.ctPersistance()), "\"2.0\"", "none of")
    try file.refused(
      migrator(.ctPersistance(["1.0": "1"]), .baseline("1")), "\"2.0\"", "none of \"1.0\"")
    try file.refused(migrator(.ctPersistance(["2.0": "two"])), "\"two\"")

    let table = "kCTPersistanceVersionTableName"
    try file.refused(stated, after: "DELETE FROM \(identifier: table)", "no version")
    try file.refused(
      stated, after: "UPDATE \(identifier: table) SET databaseVersion = NULL", "no version")
    try file.refused(
      stated, after: "UPDATE \(identifier: table) SET databaseVersion = x'322e30'",
      "structure that CTPersistance creates")
    try file.refused(
      stated,
      after:
        "UPDATE \(identifier: table) SET databaseVersion = replace(hex(zeroblob(50000)), '00', 'x')",
      "…")
    try file.refused(
      stated, after: "ALTER TABLE \(identifier: table) RENAME COLUMN databaseVersion TO version",
      "structure that CTPersistance creates")
    try file.refused(
      stated,
      after: """
        DROP TABLE \(identifier: table);
        CREATE VIEW \(identifier: table) AS SELECT 1 AS identifier, '2.0' AS databaseVersion;
        """, "view")
  }

  @Test func `a file without the CTPersistance version table migrates from the baseline version`()
    throws
  {
    try change("DROP TABLE kCTPersistanceVersionTableName") { url in
      let database = try Database(
        at: url,
        .init(migrator: migrator(.ctPersistance(Self.versions), .grdb(), .baseline("2"))))
      #expect(try recorded(database) == ["1 adopted", "2 adopted", "3 step"])
    }
  }
}
