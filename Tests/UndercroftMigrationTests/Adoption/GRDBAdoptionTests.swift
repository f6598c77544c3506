import BehaviourTrait
import Foundation
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
    try database.query("SELECT identifier FROM grdb_migrations ORDER BY 1") { try $0[0] }
  }

  @Test(.behaviour("A-CT-M08"))
  func `a file of GRDB goes on from the last migration that it has had`() throws {
    try withTemporaryDirectory { directory in
      let url = try Fixture.grdb.copy(into: directory)
      let migrator = migrator(Self.named)
      let database = try Database(at: url, .init().migrated(by: migrator))
      #expect(
        try recorded(database) == [
          "1 adopted", "2 adopted", "3 adopted", "4 step", "5 step", "6 step",
        ])
      #expect(
        try LibraryVersions.books(in: database, version: 6)
          == ["1 Emma Austen", "7 Persuasion Austen"])
      #expect(
        try database.value("SELECT isbn FROM book WHERE id = 1", as: String.self) == "0199535528")
      #expect(try database.value("SELECT title FROM lent", as: String.self) == "Persuasion")
      #expect(try identifiers(database) == ["addISBN", "addLoans", "createBook"])
      try database.close()
      // From now on the file's own record counts.
      let again = try Database(at: url, .init().migrated(by: LibraryVersions.migrator))
      #expect(try LibraryVersions.migrator.version(of: again) == "6")
    }
  }

  @Test func `the plan names the adoption, and changes nothing`() throws {
    try withTemporaryDirectory { directory in
      let url = try Fixture.grdb.copy(into: directory)
      let database = try Database(at: url)
      let plan = try migrator(Self.named).plan(for: database)
      #expect(plan.from == "3")
      #expect(plan.adoption == "GRDB")
      #expect(plan.moves.map(\.to) == ["4", "5", "6"])
      #expect(try database.read { db in try !db.tableExists("undercroft_migration") })
    }
  }

  @Test func `equal names need no list, and a merged migration stands for what it merged`() throws {
    try withTemporaryDirectory { directory in
      let url = try Fixture.mergedGRDB.copy(into: directory)
      let database = try Database(
        at: url, .init().migrated(by: migrator(.grdb(merging: ["3": ["1", "2"]]))))
      #expect(
        try recorded(database).prefix(4) == ["1 adopted", "2 adopted", "3 adopted", "4 step"])
      #expect(try LibraryVersions.books(in: database, version: 6).count == 2)
      #expect(try identifiers(database) == ["3"])
    }
    try Fixture.mergedGRDB.refused(migrator(.grdb()), "\"3\" and not \"1\"", "merged")
  }

  @Test func `merging may be told of migrations that are gone from the program`() throws {
    let adoption = MigrationAdoption.grdb(["3": "3"], merging: ["3": ["1", "2"]])
    try withTemporaryDirectory { directory in
      let url = try Fixture.mergedGRDB.copy(into: directory)
      let database = try Database(at: url, .init().migrated(by: migrator(adoption)))
      #expect(try recorded(database).count == 6)
    }
    // A file that had not come to the merged one has a part of it.
    try Fixture.mergedGRDB.refused(
      migrator(adoption), after: "UPDATE grdb_migrations SET identifier = '2'", "\"2\"", "merged")
    // Merged twice over.
    try withTemporaryDirectory { directory in
      let url = try Fixture.mergedGRDB.copy(into: directory)
      try Fixture.change(url, "UPDATE grdb_migrations SET identifier = 'all'")
      let adoption = MigrationAdoption.grdb(
        ["1": "1", "2": "2", "3": "3", "all": "3"], merging: ["all": ["3"], "3": ["1", "2"]])
      let database = try Database(at: url, .init().migrated(by: migrator(adoption)))
      #expect(try recorded(database).first == "1 adopted")
    }
  }

  @Test(.behaviour("A-CT-M12"))
  func `what is unknown, out of order or missing is refused, and the file stays as it is`() throws {
    let named = migrator(Self.named)
    try Fixture.grdb.refused(migrator(), "no record")
    try Fixture.grdb.refused(migrator(.grdb()), "none of")
    try Fixture.grdb.refused(
      named, after: "INSERT INTO grdb_migrations VALUES ('addReaders')", "\"addReaders\"")
    try Fixture.grdb.refused(
      named, after: "DELETE FROM grdb_migrations WHERE identifier = 'addISBN'",
      "\"addLoans\" and not \"addISBN\"")
    try Fixture.grdb.refused(named, after: "DELETE FROM grdb_migrations", "no migration")
    try Fixture.grdb.refused(
      migrator(.grdb(["createBook": "1", "addISBN": "2", "addLoans": "9"])), "\"9\"")
    // An adoption that comes later is not asked about a file that this one knows.
    try Fixture.grdb.refused(migrator(.grdb(), .baseline("3")), "none of")
  }

  @Test func `a list that makes no sense is refused`() throws {
    try Fixture.grdb.refused(
      migrator(.grdb(["createBook": "1", "createBook": "2"])), "twice", code: .misuse)
    try Fixture.grdb.refused(
      migrator(.grdb(["createBook": "2", "addISBN": "1", "addLoans": "3"])), "earlier",
      code: .misuse)
    try Fixture.grdb.refused(
      migrator(.grdb(["createBook": "1"], merging: ["all": ["createBook"]])), "\"all\"",
      code: .misuse)
  }

  @Test func `a table of that name which GRDB has not made is not trusted`() throws {
    let named = migrator(Self.named)
    func refused(_ table: SQL, _ word: String) throws {
      try Fixture.grdb.refused(
        named, after: SQL(unchecked: "DROP TABLE grdb_migrations; \(table.text);"), word)
    }
    try refused("CREATE VIEW grdb_migrations AS SELECT 'createBook' AS identifier", "view")
    try refused("CREATE VIRTUAL TABLE GRDB_migrations USING fts5 (identifier)", "virtual")
    try refused("CREATE TABLE grdb_migrations (name TEXT)", "not as GRDB")
    try refused(
      "CREATE TABLE grdb_migrations AS SELECT 'createBook' AS identifier UNION ALL SELECT NULL",
      "not as GRDB")
    try refused("CREATE TABLE grdb_migrations AS SELECT 1 AS identifier", "not as GRDB")
    try refused("CREATE TABLE grdb_migrations AS SELECT x'31' AS identifier", "not as GRDB")
    try refused(
      """
      CREATE TABLE grdb_migrations AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      SELECT 'migration' || i AS identifier FROM n
      """, "\"migration1\"")
  }

  @Test func `names in another case, and the same ones thousands of times, are taken`() throws {
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
      let database = try Database(at: url, .init().migrated(by: migrator(Self.named)))
      #expect(try recorded(database).prefix(3) == ["1 adopted", "2 adopted", "3 step"])
    }
  }
}
