import TestSupport
import Testing
import UndercroftSync
import UndercroftSyncTesting

@Suite struct HistoryShrinkerTests {
  @Test(.heavy, .timeLimit(.minutes(2)))
  func `the history shrinker shortens a simulated sync history that violates a rule`() throws {
    let failing = try #require(failingSimulation())

    let short = try #require(failing.shrunk(attempts: 300))

    #expect(short.violation.rule == .noLostUpdate)
    #expect(short.trace.count { $0.hasPrefix("step ") } < 20)
  }

  /// Returns a history that fails because the server stores no conflicts for lost values.
  private func failingSimulation() -> SyncSimulation? {
    for seed: UInt64 in 1...20 {
      var simulation = SyncSimulation(seed: seed, profile: .mild, stepCount: 60)
      simulation.mutations = [.noConflictLog]
      do { _ = try simulation.run() } catch { return simulation }
    }
    return nil
  }

  @Test func `the history shrinker returns no result for a sync history that violates no rule`() {
    let simulation = SyncSimulation(seed: 1, profile: .mild, stepCount: 10)

    let short = simulation.shrunk()

    #expect(short.map(\.trace) == nil)
  }
}
