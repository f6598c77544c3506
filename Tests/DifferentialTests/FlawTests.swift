import DifferentialChecks
import TestSupport
import Testing

@Suite struct FlawTests {
  @Test(arguments: Modes.flawed.map(\.name))
  func `each mode of the differential test detects an injected wrong result`(name: String)
    async throws
  {
    let mode = try #require(Modes.flawed.first { $0.name == name })

    let report = await onNewThread {
      let campaign = Campaign([mode], seed: 1)
      campaign.run(checks: 100_000, untilDifference: true)
      return campaign.report
    }

    let labels = report.modes.flatMap(\.differences.keys)
    #expect(!labels.isEmpty)
    #expect(!labels.contains("unexpected error"))
  }
}
