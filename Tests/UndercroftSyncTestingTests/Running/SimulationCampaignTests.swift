import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftSyncTesting

@Suite struct SimulationCampaignTests {
  @Test(.heavy)
  func `200 simulated sync histories together contain every kind of event and violate no rule`() {
    let violations = Mutex<[String]>([])
    let campaign = SimulationCampaign((1...200).map { SyncSimulation(seed: $0) })

    let counters = campaign.run(threads: ProcessInfo.processInfo.activeProcessorCount) {
      simulation, error in
      violations.withLock { $0.append("\(simulation.summary): \(error)") }
    }

    #expect(violations.withLock { $0 } == [])
    for event in SimulationCounters.Event.allCases {
      #expect(counters[event] > 0, "no \(event.rawValue)")
    }
    let kinds = [
      "op_lost", "server_lost", "open", "update_deleted", "delete_wins", "delete_update",
    ]
    for kind in kinds { #expect(counters.conflicts[kind, default: 0] > 0, "no conflict \(kind)") }
  }

  @Test
  func `a simulation campaign returns the sums of the event counters of its simulations`() throws {
    let simulations = [1, 2].map { SyncSimulation(seed: $0, profile: .mild, stepCount: 20) }
    let edits = try simulations.map { try $0.run()[.edits] }

    let counters = SimulationCampaign(simulations).run(threads: 2) { _, error in
      Issue.record(error)
    }

    #expect(counters.histories == 2)
    #expect(counters[.edits] == edits.reduce(0, +))
  }
}
