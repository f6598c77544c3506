import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftFoundation
import UndercroftSync
import UndercroftSyncTesting

@Suite struct SyncSimulationTests {
  @Test(arguments: SimulationProfile.allCases)
  func `a short simulated sync history violates no rule with the faults of each fault profile`(
    profile: SimulationProfile
  ) throws {
    let counters = try SyncSimulation(seed: 1, profile: profile, stepCount: 60).run()

    #expect(counters[.edits] > 0)
    #expect(counters.histories == 1)
  }

  // In these histories, the only real deletion of a row was made on a file that was later replaced
  // by a backup, and a batch did not delete the row, because the row does not meet its condition.
  @Test(arguments: [103] as [UInt64])
  func `a simulation reports no violation if a row does not meet the condition of a batch deletion`(
    seed: UInt64
  ) throws {
    let counters = try SyncSimulation(seed: seed, profile: .clone).run()

    #expect(counters[.batches] > 0)
    #expect(counters[.restores] > 0)
  }

  // In this history, a device changes a row, pulls the deletion of the row, and performs a batch,
  // all before it sends the change. The server restores the row, and the batch then changes it.
  @Test func `a simulation reports no violation if a batch changes a row that the server restored`()
    throws
  {
    let counters = try SyncSimulation(seed: 1797, profile: .mild).run()

    #expect(counters[.batches] > 0)
  }

  // The tables of these histories belong to two scopes, of which seed 1 only sends one.
  @Test(arguments: [(1, 1), (37, 0), (102, 0)] as [(UInt64, Int)])
  func `a simulated sync history with two scopes in each database file violates no rule`(
    seed: UInt64, oneWayScopes: Int
  ) throws {
    let simulation = SyncSimulation(seed: seed)

    let counters = try simulation.run()

    #expect(simulation.summary.contains("tables of two scopes"))
    #expect(counters[.severalScopes] == 1)
    #expect(counters[.oneWayScopes] == oneWayScopes)
    #expect(counters[.groups] > 0)
  }

  @Test(arguments: [1, 37, 102] as [UInt64])
  func
    `in a simulation of two scopes, a violation names the scope in which an atomic group is split`(
      seed: UInt64
    ) throws
  {
    var simulation = SyncSimulation(seed: seed)
    simulation.mutations = [.splitGroups]

    let violation = try #require(throws: SimulationViolation.self) { _ = try simulation.run() }

    #expect("\(violation)".contains("in the scope \"library\""))
  }

  @Test func `a simulation without faults loses no message and ends no process`() throws {
    let counters = try SyncSimulation(seed: 2, profile: .mild).run()

    #expect(counters[.drops] == 0)
    #expect(counters[.duplicates] == 0)
    #expect(counters[.deviceCrashes] == 0)
    #expect(counters[.serverCrashes] == 0)
    #expect(counters[.truncations] == 0)
  }

  @Test(.heavy, arguments: [3, 4, 5] as [UInt64])
  func `two runs of a simulation with the same seed produce the same trace`(seed: UInt64) throws {
    let simulation = SyncSimulation(seed: seed, profile: .all, stepCount: 80)
    var (first, second) = ([String](), [String]())

    _ = try simulation.run { first.append($0) }
    _ = try simulation.run { second.append($0) }

    #expect(first == second)
    #expect(first.count > 80)
  }

  @Test
  func `a simulation counts the same events with an in-memory and with a SQLite server store`()
    throws
  {
    try withTemporaryDirectory { folder in
      let stores = Mutex(0)
      let (seed, profile) = (4 as UInt64, SimulationProfile.timeline)

      let memory = try SyncSimulation(seed: seed, profile: profile).run()
      let files = try SyncSimulation(seed: seed, profile: profile) {
        let number = stores.withLock { stores in
          stores += 1
          return stores
        }
        return try SQLiteSyncStore(
          at: folder.appending(path: "\(number)"), durability: .processDeath)
      }.run()

      #expect(files == memory)
      // The server was restored from a backup, for which a second store was created.
      #expect(files[.timelines] > 0)
      #expect(stores.withLock(\.self) == files[.timelines] + 1)
    }
  }

  @Test func `the summary of a simulation names its seed, fault profile and conflict policy`() {
    let summary = SyncSimulation(seed: 1, profile: .hot).summary

    #expect(summary.hasPrefix("seed 1: profile hot, policy "))
  }
}
