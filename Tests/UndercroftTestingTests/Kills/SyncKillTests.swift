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

      let summary = try SyncKillSummary(result, of: "sync", rounds: 10)
      // A loop that kills before the first change or synchronisation proves nothing.
      #expect(summary.acknowledgedCount >= 20)
      #expect(summary.synchronisationCount >= 1)
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
