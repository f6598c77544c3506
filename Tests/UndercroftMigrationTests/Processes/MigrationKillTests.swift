import Foundation
import Testing

extension MigrationProcessTests {
  @Suite struct MigrationKillTests {
    @Test func `a killed migration leaves one complete version, and the next opening completes it`()
      async throws
    {
      let run = try await MigrationTool.run("migrate", "--rounds", "16", "--megabytes", "0.05")

      #expect(run.status == 0, "\(run.text)")
      let report = try #require(
        run.last.wholeMatch(
          of:
            /migration: 16 rounds, (\d+) kills, \d+ finished before, 0 unopenable, 0 half, 0 lost, 0 unfinished, 0 left over, 0 spoilt/
        ), "\(run.text)")
      // At least half of the rounds must have killed the process.
      #expect(try #require(Int(report.1)) >= 8)
    }

    @Test(arguments: [
      ("recordsLater", "[1-9][0-9]* half"), ("keepsHalves", "[1-9][0-9]* half"),
      ("growsSnapshot", "[1-9][0-9]* spoilt"), ("losesLoans", "[1-9][0-9]* lost"),
    ])
    func `the kill test detects a migration with a deliberate flaw`(flaw: String, sign: String)
      async throws
    {
      let place = FileManager.default.temporaryDirectory
        .appending(path: "undercroft-migration-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: place) }

      let run = try await MigrationTool.run(
        "migrate", "--rounds", "8", "--megabytes", "0.05", "--seed", "1", "--flaw", flaw,
        "--directory", place.path())

      #expect(run.status == 1)
      #expect(try run.last.firstMatch(of: Regex(sign)) != nil, "\(run.text)")
    }
  }
}
