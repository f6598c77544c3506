import Foundation
import TestSupport
import Testing
import UndercroftMigration
import UndercroftSQLite

extension MigrationProcessTests {
  @Suite(.serialized) struct MigrationKillTests {
    @Test
    func `killing a migration leaves the file at a complete version that can be migrated further`()
      async throws
    {
      let run = try await MigrationTool.run("migrate", "--rounds", "16", "--megabytes", "0.05")

      #expect(run.status == 0, "\(run.summary)")
      let report = try #require(
        run.lastLine.wholeMatch(
          of:
            /migration: 16 rounds, (\d+) kills, \d+ finished before, 0 unopenable, 0 half, 0 lost, 0 unfinished, 0 left over, 0 spoilt/
        ), "\(run.summary)")
      // At least half of the rounds must have killed the process.
      #expect(try #require(Int(report.1)) >= 8)
    }

    @Test(arguments: [
      ("recordsLater", "[1-9][0-9]* half"), ("keepsHalves", "[1-9][0-9]* half"),
      ("growsSnapshot", "[1-9][0-9]* spoilt"), ("losesLoans", "[1-9][0-9]* lost"),
    ])
    func `the test program that kills migrations fails if the migrator has a deliberate flaw`(
      flaw: String, sign: String
    ) async throws {
      let run = try await withTemporaryDirectory { directory in
        try await MigrationTool.run(
          "migrate", "--rounds", "8", "--megabytes", "0.05", "--seed", "1", "--flaw", flaw,
          "--directory", directory.path)
      }

      #expect(run.status == 1)
      #expect(try run.lastLine.firstMatch(of: Regex(sign)) != nil, "\(run.summary)")
    }

    @Test
    func `killing a process that creates a database by migration steps leaves an empty database`()
      async throws
    {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "undercroft-migration-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      func upgrade(_ url: URL, _ arguments: String...) async throws -> ProgramResult {
        try await MigrationTool.run(
          ["upgrade", "--without-schema", "--file", url.path()] + arguments)
      }
      let completed = folder.appending(path: "whole.sqlite")
      let moments = try await upgrade(completed).lines.filter { !$0.hasPrefix("end ") }
      #expect(moments.contains { $0.hasPrefix("amid the step to 6, part 3") }, "\(moments)")
      let expected = try Database(at: completed).read { db in try DatabaseSchema(of: db) }

      for (index, moment) in moments.enumerated() {
        let url = folder.appending(path: "killed-\(index).sqlite")
        let killed = try await upgrade(url, "--at", "\(index + 1)")
        #expect(killed.lines == Array(moments.prefix(index + 1)))
        do {
          let database = try Database(at: url)
          let count = try database.fetchValue("SELECT count(*) FROM sqlite_schema", as: Int.self)
          // The last moment is after the commit.
          #expect(count == 0 || moment == "ended", "\(moment)")
          try database.close()
        }

        #expect(try await upgrade(url).lastLine == "end open")

        let database = try Database(at: url)
        #expect(try database.read { db in try DatabaseSchema(of: db) } == expected, "\(moment)")
        #expect(try LibraryVersions.migrator.version(of: database) == "6")
        #expect(try database.integrityCheck() == [])
      }
    }
  }
}
