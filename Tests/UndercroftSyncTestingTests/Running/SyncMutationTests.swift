import TestSupport
import Testing
import UndercroftSync
import UndercroftSyncTesting

/// Tests that the simulator detects the absence of each rule of the protocol.
@Suite struct SyncMutationTests {
  /// The histories with which a test shows that a rule of the protocol is needed.
  ///
  /// At least one of them fails if the rule is disabled.
  enum Evidence: Sendable {
    /// The random histories with the given seeds, and with the given profile of faults if there is
    /// one.
    case seeds(ClosedRange<UInt64>, SimulationProfile? = nil)
    /// A hand-written history.
    case directed(DirectedHistories.History)
  }

  @Test(.heavy, arguments: SyncMutation.allCases)
  func `for each protocol rule, some sync history fails its checks only if the rule is disabled`(
    mutation: SyncMutation
  ) throws {
    for evidence in mutation.evidence {
      switch evidence {
      case .seeds(let seeds, let profile):
        let failing = seeds.first { Self.violation($0, profile, without: [mutation]) != nil }
        let seed = try #require(failing)
        #expect(Self.violation(seed, profile, without: []) == nil)
      case .directed(let history):
        #expect(try history(DirectedLibrary(without: [mutation])) != nil)
        #expect(try history(DirectedLibrary(without: [])) == nil)
      }
    }
  }

  @Test func `the protocol has eighteen rules that can be disabled`() {
    #expect(SyncMutation.allCases.count == 18)
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

extension SyncMutation {
  /// The sets of histories, of each of which at least one history fails if this rule is disabled.
  ///
  /// The switch statement is exhaustive, so every rule has histories.
  fileprivate var evidence: [SyncMutationTests.Evidence] {
    switch self {
    case .noConflictLog: [.seeds(4...15)]
    case .resultBumpsVersion: [.seeds(1...10)]
    case .noClamp: [.seeds(1...10)]
    case .resultDropsOverlay: [.seeds(16...40, .harsh)]
    case .noDeduplication: [.seeds(4...30, .clone)]
    case .lateIdentifiers: [.seeds(4...40, .clone)]
    case .ignoredEchoes: [.seeds(7...30, .hot)]
    case .trustedSequence: [.seeds(4...35, .clone)]
    case .noAbsorption: [.seeds(25...50, .clone)]
    case .noReset: [.directed(DirectedHistories.compactionBeforePull), .seeds(8...14)]
    case .noPageCheck: [.directed(DirectedHistories.repeatedPages)]
    case .noStaleness: [.seeds(4...25, .cloneAndCompaction)]
    case .identifierChain: [.directed(DirectedHistories.copiesWithEqualEnds)]
    case .noHiddenColumns: [.directed(DirectedHistories.hiddenValue)]
    case .cursorAsBase: [.directed(DirectedHistories.rowBeyondCursor)]
    case .splitGroups: [.seeds(1...12)]
    case .sharedLease: [.seeds(11...13)]
    case .noSnapshotFloor: [.directed(DirectedHistories.compactionDuringSnapshot)]
    }
  }
}
