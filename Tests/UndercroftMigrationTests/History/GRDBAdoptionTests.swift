import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

@Suite struct GRDBAdoptionTests {
  private static let named: MigrationAdoption = .grdb([
    "createBook": "1", "addISBN": "2", "addLoans": "3",
  ])

  private func migrator(_ adoptions: MigrationAdoption...) -> Migrator {
    var migrator = LibraryVersions.migrator
    migrator.adoptions = adoptions
    return migrator
  }

  private func identifiers(_ database: Database) throws -> [String] {
    try database.fetchAll("SELECT identifier FROM grdb_migrations ORDER BY 1") { try $0[0] }
  }

  @Test(.behaviour("A-CT-M08"))
  func `a GRDB database is migrated from its last applied migration`() throws {
    try withTemporaryDirectory { directory in
      let url = try Fixture.grdb.copy(into: directory)
      let migrator = migrator(Self.named)
      let database = try Database(at: url, .init(migrator: migrator))

      #expect(
        try recorded(database) == [
          "1 adopted", "2 adopted", "3 adopted", "4 step", "5 step", "6 step",
        ])
      #expect(
        try LibraryVersions.books(in: database, version: 6)
          == ["1 Emma Austen", "7 Persuasion Austen"])
      #expect(
        try database.fetchValue("SELECT isbn FROM book WHERE id = 1", as: String.self)
          == "0199535528")
      #expect(try database.fetchValue("SELECT title FROM lent", as: String.self) == "Persuasion")
      #expect(try identifiers(database) == ["addISBN", "addLoans", "createBook"])

      try database.close()
      // From now on, the migration history of Undercroft applies.
      let again = try Database(at: url, .init(migrator: LibraryVersions.migrator))
      #expect(try LibraryVersions.migrator.version(of: again) == "6")
    }
  }

  @Test func `a migration plan names the adopted GRDB history and does not change the file`() throws
  {
    try withTemporaryDirectory { directory in
      let url = try Fixture.grdb.copy(into: directory)
      let database = try Database(at: url)
      let plan = try migrator(Self.named).plan(for: database)

      #expect(plan.from == "3")
      #expect(plan.adoption == "GRDB")
      #expect(plan.transitions.map(\.to) == ["4", "5", "6"])
      #expect(try database.read { db in try !db.tableExists("undercroft_migration") })
    }
  }

  @Test
  func `adopting a GRDB file with a merged migration adopts all versions that were merged`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = try Fixture.mergedGRDB.copy(into: directory)
      let database = try Database(
        at: url, .init(migrator: migrator(.grdb(merging: ["3": ["1", "2"]]))))
      #expect(
        try recorded(database).prefix(4) == ["1 adopted", "2 adopted", "3 adopted", "4 step"])
      #expect(try LibraryVersions.books(in: database, version: 6).count == 2)
      #expect(try identifiers(database) == ["3"])
    }
    try Fixture.mergedGRDB.refused(
      migrator(.grdb()), "\"3\", but not the migration \"1\"", "merged")
  }

  @Test
  func `a GRDB file is adopted even if migrations merged into another are not mapped to versions`()
    throws
  {
    let adoption = MigrationAdoption.grdb(["3": "3"], merging: ["3": ["1", "2"]])
    try withTemporaryDirectory { directory in
      let url = try Fixture.mergedGRDB.copy(into: directory)
      let database = try Database(at: url, .init(migrator: migrator(adoption)))
      #expect(try recorded(database).count == 6)
    }
    // A file with only some of the merged migrations is rejected.
    try Fixture.mergedGRDB.refused(
      migrator(adoption), after: "UPDATE grdb_migrations SET identifier = '2'", "\"2\"", "merged")
    // A migration that merges merged migrations.
    try withTemporaryDirectory { directory in
      let url = try Fixture.mergedGRDB.copy(into: directory)
      try Fixture.change(url, "UPDATE grdb_migrations SET identifier = 'all'")
      let adoption = MigrationAdoption.grdb(
        ["1": "1", "2": "2", "3": "3", "all": "3"], merging: ["all": ["3"], "3": ["1", "2"]])
      let database = try Database(at: url, .init(migrator: migrator(adoption)))
      #expect(try recorded(database).first == "1 adopted")
    }
  }

  @Test(.behaviour("A-CT-M12"))
  func `unknown, unordered or missing GRDB migrations are rejected, and the file is unchanged`()
    throws
  {
    let named = migrator(Self.named)
    try Fixture.grdb.refused(migrator(), "no migration history")
    try Fixture.grdb.refused(migrator(.grdb()), "none of")
    try Fixture.grdb.refused(
      named, after: "INSERT INTO grdb_migrations VALUES ('addReaders')", "\"addReaders\"")
    try Fixture.grdb.refused(
      named, after: "DELETE FROM grdb_migrations WHERE identifier = 'addISBN'",
      "\"addLoans\", but not the migration \"addISBN\"")
    try Fixture.grdb.refused(named, after: "DELETE FROM grdb_migrations", "no applied migration")
    try Fixture.grdb.refused(
      migrator(.grdb(["createBook": "1", "addISBN": "2", "addLoans": "9"])), "\"9\"")
    // A later adoption is not used for a file that an earlier one recognises.
    try Fixture.grdb.refused(migrator(.grdb(), .baseline("3")), "none of")
  }

  @Test func `a contradictory mapping of GRDB migrations is rejected`() throws {
    try Fixture.grdb.refused(
      migrator(.grdb(["createBook": "1", "createBook": "2"])), "twice", code: .misuse)
    try Fixture.grdb.refused(
      migrator(.grdb(["createBook": "2", "addISBN": "1", "addLoans": "3"])), "earlier",
      code: .misuse)
    try Fixture.grdb.refused(
      migrator(.grdb(["createBook": "1"], merging: ["all": ["createBook"]])), "\"all\"",
      code: .misuse)
  }

  @Test
  func `a file whose grdb_migrations object differs from the table that GRDB creates is rejected`()
    throws
  {
    let named = migrator(Self.named)
    func refused(_ table: SQL, _ word: String) throws {
      try Fixture.grdb.refused(
        named, after: SQL(unchecked: "DROP TABLE grdb_migrations; \(table.text);"), word)
    }

    try refused("CREATE VIEW grdb_migrations AS SELECT 'createBook' AS identifier", "view")
    try refused("CREATE VIRTUAL TABLE GRDB_migrations USING fts5 (identifier)", "virtual")
    try refused("CREATE TABLE grdb_migrations (name TEXT)", "structure that GRDB creates")
    try refused(
      "CREATE TABLE grdb_migrations AS SELECT 'createBook' AS identifier UNION ALL SELECT NULL",
      "structure that GRDB creates")
    try refused(
      "CREATE TABLE grdb_migrations AS SELECT 1 AS identifier", "structure that GRDB creates")
    try refused(
      "CREATE TABLE grdb_migrations AS SELECT x'31' AS identifier", "structure that GRDB creates")
    try refused(
      """
      CREATE TABLE grdb_migrations AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      SELECT 'migration' || i AS identifier FROM n
      """, "\"migration1\"")
  }

  @Test
  func `a GRDB history with uppercase table names and thousands of duplicate rows is adopted`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = try Fixture.grdb.copy(into: directory)
      try Fixture.change(
        url,
        """
        DROP TABLE grdb_migrations;
        CREATE TABLE GRDB_Migrations AS
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        SELECT 'createBook' AS IDENTIFIER FROM n UNION ALL SELECT 'addISBN';
        DROP TABLE loan; DROP TABLE reader;
        """)
      let database = try Database(at: url, .init(migrator: migrator(Self.named)))

      #expect(try recorded(database).prefix(3) == ["1 adopted", "2 adopted", "3 step"])
    }
  }
}
