import Foundation
import ShelfCatalogue
import TestSupport
import Testing
import Undercroft
import UndercroftMigration
import UndercroftSQLite

/// Tests of the `shelf` program with home directories that earlier versions created.
@Suite struct ShelfMigrateCommandTests {
  private static func withHome(
    _ home: OldHome, _ body: (URL, [String]) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let place = directory.appending(path: "home")
      try home.make(in: place)
      try body(place, ["--home", place.path])
    }
  }

  @Test(arguments: [OldHome.byName, .both])
  func `only the first command on an old data directory prints the migration plan`(
    home: OldHome
  ) throws {
    try Self.withHome(home) { place, option in
      let shown = try ShelfProcess.run(["show", "dune"] + option)
      #expect(shown.status == 0, "\(shown.errors)")
      #expect(
        shown.output.contains("needs      author, paper (>= 2.0), ink | toner, binding (= 1)"))

      let lines = shown.errors.split(separator: "\n").map(String.init)
      #expect(
        lines.first
          == "shelf: records.sqlite was created by an earlier version of shelf and is migrated first:"
      )
      #expect(lines.contains { $0.hasPrefix("  from \(home.version) to 5, identified by ") })

      let copy = place.appending(path: "records.sqlite.version-\(home.version).snapshot")
      #expect(lines.contains { $0.hasPrefix("  copy  \(copy.path), ") })
      #expect(lines.contains("  step  3 → 4"))
      #expect(FileManager.default.fileExists(atPath: copy.path))

      let again = try ShelfProcess.run(["show", "dune"] + option)
      #expect(again.errors.isEmpty)
      #expect(again.output == shown.output)
    }
  }

  @Test func `a command on a new data directory prints no migration messages`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "status")
      try ShelfProcess.input(5, version: 1).write(to: file)
      let home = directory.appending(path: "home")
      let option = ["--home", home.path]
      let result = try ShelfProcess.run([file.path, "--no-changelogs"] + option)
      #expect(result.errors.isEmpty)

      let plan = try ShelfProcess.run(["migrate", "--plan"] + option)
      #expect(
        plan.output == "records.sqlite: at 5: nothing to do\nown.sqlite: at 2: nothing to do\n")

      let none = try ShelfProcess.run(["migrate", "--discard-snapshot"] + option)
      #expect(none.status == 0)
      #expect(none.output.isEmpty)
      #expect(
        try ShelfProcess.run(["migrate", "--plan", "--home", directory.path + "/none"]).status == 1)
      #expect(!FileManager.default.fileExists(atPath: directory.path + "/none"))
    }
  }

  @Test
  func `the migrate command migrates the database, and changes nothing with --plan or --dry-run`()
    throws
  {
    try Self.withHome(.byName) { place, option in
      let file = place.appending(path: "records.sqlite")
      let before = try Data(contentsOf: file)
      let plan = try ShelfProcess.run(["migrate", "--plan"] + option)
      #expect(plan.status == 0, "\(plan.errors)")
      #expect(plan.output.contains("records.sqlite: from 2 to 5, identified by "))
      #expect(
        plan.output.contains(
          "\n  step  2 → 3\n  step  3 → 4\n  step  4 → 5\nown.sqlite: not there yet\n"))
      let run = try ShelfProcess.run(["migrate", "--dry-run"] + option)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("\n  - table package\n"))
      #expect(run.output.contains("\n  rows  package: 4 → none\n  rows  software: none → 4\n"))
      #expect(run.output.contains("\n  succeeds, in "))
      #expect(try Data(contentsOf: file) == before)
      let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
      #expect(!names.contains { $0.contains("dry-run") || $0.contains("snapshot") })

      let early = try ShelfProcess.run(["migrate", "--discard-snapshot"] + option)
      #expect(early.status == 0)
      #expect(early.output.isEmpty)
      let migrated = try ShelfProcess.run(["migrate"] + option)
      #expect(migrated.output == "records.sqlite: at 5\nown.sqlite: at 2\n")
      #expect(migrated.errors.contains("shelf: records.sqlite is at 5 now, after "))
      #expect(migrated.errors.contains("shelf migrate --discard-snapshot --home \(place.path)\n"))
      let discarded = try ShelfProcess.run(["migrate", "--discard-snapshot"] + option)
      #expect(discarded.output.hasPrefix("records.sqlite.version-2.snapshot: removed, "))
      #expect(try MigrationSnapshot.all(of: file).isEmpty)
    }
  }

  @Test(.heavy, arguments: [SIGINT, SIGKILL])
  func `a migration interrupted at any moment is finished by the next command`(signal: Int32) throws
  {
    try withTemporaryDirectory { directory in
      let model = directory.appending(path: "model")
      try OldHome.byName.make(in: model)
      let database = try Database(at: model.appending(path: "records.sqlite"))
      try database.write { db in
        try db.execute(
          """
          WITH RECURSIVE number(value) AS (
            SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < 4000)
          INSERT INTO package SELECT 'book-' || value, 'book-' || value, '1', 'all', 'novels', 1,
            'The book number ' || value, value FROM number
          """)
      }
      try database.close()
      let question = ["show", "book-7", "--home"]
      var whole = Duration.zero
      for moment in 0...8 {
        let home = directory.appending(path: "home-\(moment)")
        try FileManager.default.copyItem(at: model, to: home)
        let start = ContinuousClock.now
        let running = try ShelfProcess.start(question + [home.path])
        if moment == 0 {
          #expect(try running.result().status == 0)
          whole = ContinuousClock.now - start
          continue
        }
        // Moments are fractions of a whole run, so that they fall within a run on any machine.
        usleep(UInt32(clamping: Int(whole / .microseconds(1)) * moment / 9))
        running.send(signal)
        let result = try running.result()
        if signal == SIGINT, !result.wasKilledBySignal {
          #expect(result.status == 0 || result.status == 130, "\(result.errors)")
        }
        let next = try ShelfProcess.run(question + [home.path])
        #expect(next.status == 0, "\(next.errors)")
        #expect(next.output.contains("book-7 1 (all)  The book number 7"))
        let left = try Database(at: home.appending(path: "records.sqlite"))
        #expect(try Migrator.packages.version(of: left) == "5")
        let count = try left.read { db in
          try db.fetchValue("SELECT count(*) FROM software", as: Int.self)
        }
        #expect(count == 4_004)
      }
    }
  }
}
