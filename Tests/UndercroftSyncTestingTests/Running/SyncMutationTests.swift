import TestSupport
import Testing
import UndercroftSync
import UndercroftSyncTesting

/// Without a rule of the protocol, some history violates what the simulator checks.
@Suite struct SyncMutationTests {
  /// The seeds among which a history is known to fail without a rule.
  struct Search: Sendable, CustomTestStringConvertible {
    let mutation: SyncMutation
    let profile: SimulationProfile?
    let seeds: ClosedRange<UInt64>

    var testDescription: String { mutation.rawValue }
  }

  static let searches = [
    Search(mutation: .noConflictLog, profile: nil, seeds: 4...15),
    Search(mutation: .resultBumpsVersion, profile: nil, seeds: 1...10),
    Search(mutation: .noClamp, profile: nil, seeds: 1...10),
    Search(mutation: .resultDropsOverlay, profile: .harsh, seeds: 16...40),
    Search(mutation: .noDeduplication, profile: .clone, seeds: 4...30),
    Search(mutation: .lateIdentifiers, profile: .clone, seeds: 4...40),
    Search(mutation: .ignoredEchoes, profile: .hot, seeds: 7...30),
    Search(mutation: .trustedSequence, profile: .clone, seeds: 4...35),
    Search(mutation: .noAbsorption, profile: .clone, seeds: 21...50),
    Search(mutation: .noReset, profile: .compaction, seeds: 25...45),
    Search(mutation: .noStaleness, profile: .cloneAndCompaction, seeds: 4...25),
  ]

  /// The rules that fewer than one of 100 histories needs, which ReplicaRuleTests,
  /// ReplicaIdentityTests, ForkTests and SnapshotRequestTests check directly.
  static let rare: Set<SyncMutation> = [
    .noPageCheck, .identifierChain, .noHiddenColumns, .cursorAsBase, .noSnapshotFloor,
  ]

  @Test(.heavy, arguments: searches)
  func `for each disabled protocol rule, some simulated history fails that passes with the rule`(
    search: Search
  ) throws {
    let failing = search.seeds.lazy.compactMap { seed in
      Self.violation(seed, search.profile, without: [search.mutation]).map { (seed, $0) }
    }.first

    let (seed, _) = try #require(failing)
    #expect(Self.violation(seed, search.profile, without: []) == nil)
  }

  @Test func `each protocol rule is either tested by a search of histories or listed as rare`() {
    let searched = Set(Self.searches.map(\.mutation))

    #expect(searched.union(Self.rare) == Set(SyncMutation.allCases))
    #expect(searched.isDisjoint(with: Self.rare))
  }

  private static func violation(
    _ seed: UInt64, _ profile: SimulationProfile?, without mutations: Set<SyncMutation>
  ) -> String? {
    var simulation = SyncSimulation(seed: seed, profile: profile)
    simulation.mutations = mutations
    do {
      _ = try simulation.run()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
