import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

@Suite struct MigrationPlanTests {
  @Test func `a migration plan lists the steps and the snapshot and changes nothing`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 3)
      let before = try Data(contentsOf: url)
      let database = try Database(at: url)

      let plan = try LibraryVersions.migrator.plan(for: database)

      #expect(plan.from == "3")
      #expect(plan.to == "6")
      #expect(
        plan.transitions.map(\.description) == [
          "up from 3 to 4", "up from 4 to 5", "up from 5 to 6",
        ])
      #expect(plan.snapshot?.location.lastPathComponent == "library.sqlite.version-3.snapshot")
      #expect(!plan.isEmpty)
      #expect(
        plan.description.hasPrefix("from 3 to 6\n  snapshot  library.sqlite.version-3.snapshot ("))
      #expect(
        plan.description.hasSuffix(
          "bytes)\n  up        3 → 4\n  up        4 → 5\n  up        5 → 6"))

      try database.close()
      #expect(try Data(contentsOf: url) == before)
      #expect(plan.snapshotByteCount == before.count)
    }
  }

  @Test
  func `a plan states that a new database is created, and a plan for a current database is empty`()
    throws
  {
    let database = try Database.inMemory()
    let new = try LibraryVersions.migrator.plan(for: database)
    #expect(new.from == nil)
    #expect(new.description == "new: is created at 6")

    try LibraryVersions.migrator.migrate(database)
    let current = try LibraryVersions.migrator.plan(for: database)
    #expect(current.isEmpty)
    #expect(current.description == "at 6: nothing to do")
  }

  @Test
  func `a migration plan to the current version is not empty after an interrupted migration`()
    throws
  {
    let database = try Database.inMemory()
    try LibraryVersions.migrator.migrate(database, to: "2")
    var steps = LibraryVersions.steps
    steps[3] = MigrationStep("4", up: "INSERT INTO nowhere VALUES (1)")
    #expect(throws: StorageError.self) {
      try Migrator(steps, schema: LibraryVersions.newest).migrate(database)
    }

    let plan = try LibraryVersions.migrator.plan(for: database, to: "3")
    #expect(!plan.isEmpty)
    #expect(plan.description == "from 3 to 3, continuing where it was interrupted")

    try LibraryVersions.migrator.migrate(database, to: "3")
    #expect(try LibraryVersions.migrator.plan(for: database, to: "3").isEmpty)
  }

  @Test(arguments: [false, true])
  func `a dry run of a migration migrates a copy of the database and reports the changes`(
    isInMemory: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 3)
      let database = isInMemory ? try Database.inMemory(loadedFrom: url) : try Database(at: url)

      let run = try LibraryVersions.migrator.dryRun(of: database)

      #expect(run.failure == nil)
      #expect(run.difference.added.map(\.name).sorted() == ["author", "lent"])
      #expect(run.difference.changed.first?.addedColumns == ["author_id"])
      #expect(run.difference.changed.first?.removedColumns == ["author"])
      let counts = run.rowCounts.map { "\($0.table) \($0.before ?? -1) \($0.after ?? -1)" }
      #expect(counts == ["author -1 1", "book 2 2", "loan 1 1", "reader 1 1"])
      #expect(run.description.hasSuffix("succeeds"))

      #expect(try LibraryVersions.migrator.version(of: database) == "3")
      #expect(try LibraryVersions.books(in: database, version: 3).count == 2)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(names.allSatisfy { !$0.contains("dry-run") && !$0.contains("snapshot") })
    }
  }

  @Test func `a failed dry run of a migration reports the failed step`() throws {
    let database = try Database.inMemory()
    try LibraryVersions.migrator.migrate(database, to: "3")
    var steps = LibraryVersions.steps
    steps[4] = MigrationStep(
      "5", up: "UPDATE book SET title = NULL; INSERT INTO nowhere VALUES (1);")

    let run = try Migrator(steps, schema: LibraryVersions.newest).dryRun(of: database)

    #expect(run.failure?.transition.to == "5")
    #expect(run.description.contains("nowhere"))
    // The step before the failed one has run.
    #expect(run.difference.added.map(\.name) == ["author"])
  }
}
