import DifferentialChecks
import Synchronization
import TestSupport
import Testing

@Suite struct FixedSeedTests {
  /// The number of results compared in each mode: some seconds of a debug build.
  private static let checks = [
    "conditions": 6000, "joins": 3000, "writes": 4000, "keys": 8000, "splits": 1500,
    "search": 8000, "values": 6000, "migrations": 2000, "observation": 400,
    "damage": 2000,
  ]

  @Test(.heavy, arguments: Modes.all.map(\.name))
  func `with a fixed seed, no mode of the differential test finds a wrong result`(
    name: String
  ) async throws {
    let mode = try #require(Modes.all.first { $0.name == name })
    let checks = try #require(Self.checks[name])

    let (report, failed) = await onNewThread {
      let failed = Mutex<[FailedCase]>([])
      let campaign = Campaign([mode], seed: 1) { one in
        failed.withLock { $0.append(one) }
      }
      campaign.run(checks: checks)
      return (campaign.report, failed.withLock { $0 })
    }

    #expect(report.checkCount >= checks)
    for one in failed {
      Issue.record("\(await onNewThread { one.report(attempts: 200) })")
    }
  }
}
