import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

@Suite struct UserVersionAdoptionTests {
  private func migrator(_ adoptions: MigrationAdoption...) -> Migrator {
    var migrator = LibraryVersions.migrator
    migrator.adoptions = adoptions
    return migrator
  }

  @Test(.behaviour("A-CT-M08"))
  func `a migration starts at the version mapped to user_version and retains user_version`() throws
  {
    try withTemporaryDirectory { directory in
      let url = try Fixture.userVersion.copy(into: directory)
      let database = try Database(
        at: url, .init(migrator: migrator(.userVersion([1: "1", 2: "2"]))))

      #expect(try recorded(database).prefix(3) == ["1 adopted", "2 adopted", "3 step"])
      #expect(try LibraryVersions.books(in: database, version: 6).count == 2)
      #expect(
        try database.fetchValue("SELECT isbn FROM book WHERE id = 1", as: String.self)
          == "0199535528")
      #expect(try database.read { db in try db.userVersion() } == 2)
    }
  }

  @Test(.behaviour("A-CT-M12"))
  func `a file whose user_version is not mapped to a version is rejected and left unchanged`()
    throws
  {
    let file = Fixture.userVersion
    try file.refused(
      migrator(.userVersion([1: "1"]), .baseline("2")), "user version 2",
      "lists only 1;")
    try file.refused(migrator(.userVersion([2: "two"])), "\"two\"")
    try file.refused(
      migrator(.userVersion([2: "2"])), after: "PRAGMA user_version = -2147483648", "-2147483648")
  }

  @Test(.behaviour("A-CT-M08"))
  func `adopting a file as the newest version throws if the file has an older schema`() throws {
    try withTemporaryDirectory { directory in
      let url = try Fixture.userVersion.copy(into: directory)
      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: migrator(.userVersion([2: "6"]))))
      }
      #expect(
        error?.message.contains("the adoption \"user_version\" returned the version \"6\"") == true)
      let database = try Database(at: url)
      #expect(error?.code == .unknownVersion)
      #expect(try database.read { db in try db.tableExists("undercroft_migration") } == false)
      #expect(try LibraryVersions.books(in: database, version: 2).count == 2)
    }
  }

  @Test func `a user_version of 0 is ignored unless an adoption maps 0 to a version`() throws {
    let zero: SQL = "PRAGMA user_version = 0"
    try Fixture.userVersion.refused(
      migrator(.userVersion([2: "2"])), after: zero, "no migration history")

    for adoptions: [MigrationAdoption] in [
      [.userVersion([2: "3", 0: "2"])], [.userVersion([2: "3"]), .baseline("2")],
    ] {
      try withTemporaryDirectory { directory in
        let url = try Fixture.userVersion.copy(into: directory)
        try Fixture.change(url, zero)
        var migrator = migrator()
        migrator.adoptions = adoptions
        let database = try Database(at: url, .init(migrator: migrator))
        #expect(try recorded(database).prefix(3) == ["1 adopted", "2 adopted", "3 step"])
      }
    }
  }

  @Test func `a file without tables is treated as new regardless of its user_version`() throws {
    try withTemporaryDirectory { directory in
      let url = try Fixture.userVersion.copy(into: directory)
      try Fixture.change(url, "DROP TABLE book")
      let database = try Database(
        at: url, .init(migrator: migrator(.userVersion([2: "2"]))))
      #expect(try recorded(database).allSatisfy { $0.hasSuffix("created") })
    }
  }
}
