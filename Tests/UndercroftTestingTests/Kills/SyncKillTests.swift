import Foundation
import TestSupport
import Testing

extension HeavyTests {
  @Suite(.serialized) struct SyncKillTests {
    @Test
    func
      `after ten kills each, two clients and a server have equal rows and have lost nothing`()
      async throws
    {
      let result = try await KillWriterTool.run("sync", "--rounds", "10")
      #expect(result.status == 0, "\(result.output)")

      let last = try #require(result.lines.last)
      let report = try #require(
        last.wholeMatch(
          of:
            /sync: 10 rounds, 30 kills, (\d+) acknowledged and \d+ committed transactions, (\d+) synchronisations, .*, 0 lost, 0 applied twice, 0 unequal, 0 other errors/
        ), "\(result.output)")
      // A loop that kills before the first change or synchronisation proves nothing.
      #expect(try #require(Int(report.1)) >= 20)
      #expect(try #require(Int(report.2)) >= 1)
    }

    @Test(arguments: [
      ("acknowledges-early", "[1-9][0-9]* lost"), ("adds-twice", "[1-9][0-9]* applied twice"),
    ])
    func `repeatedly killing a faulty sync client reveals the guarantee that the client violates`(
      flaw: String, sign: String
    )
      async throws
    {
      let result = try await withTemporaryDirectory { directory in
        try await KillWriterTool.run(
          "sync", "--rounds", "20", "--flaw", flaw, "--directory", directory.path)
      }

      #expect(result.status == 1)
      #expect(
        try result.lines.contains { try $0.firstMatch(of: Regex(sign)) != nil },
        "\(result.lines.suffix(3))")
    }
  }
}
