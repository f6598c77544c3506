import DifferentialChecks
import Testing

@Suite struct FlawTests {
  @Test(arguments: Modes.flawed.map(\.name))
  func `a mode reports a library whose results are wrong`(name: String) throws {
    let mode = try #require(Modes.flawed.first { $0.name == name })
    let campaign = Campaign([mode], seed: 1)

    campaign.run(checks: 100_000, untilDifference: true)

    let labels = campaign.report.modes.flatMap(\.differences.keys)
    #expect(!labels.isEmpty)
    #expect(!labels.contains("unexpected error"))
  }
}
