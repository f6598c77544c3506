import Dispatch
import Synchronization

/// Many histories, which several threads run.
public struct SimulationCampaign: Sendable {
  /// The histories that the campaign runs.
  public let simulations: [SyncSimulation]

  /// Creates a campaign of the given histories.
  public init(_ simulations: [SyncSimulation]) { self.simulations = simulations }

  /// Runs all histories, and returns the sum of the events in the histories that violate no rule.
  ///
  /// - Parameters:
  ///   - threads: the number of threads.
  ///   - report: receives each history that violates a rule, with the ``SimulationViolation``, and
  ///     each history that fails otherwise, with the error. The closure is called on any of the
  ///     threads.
  public func run(
    threads: Int, report: @Sendable (SyncSimulation, any Error) -> Void
  ) -> SimulationCounters {
    let sum = Mutex(SimulationCounters())
    let threads = max(1, min(threads, simulations.count))
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for index in stride(from: thread, to: simulations.count, by: threads) {
        do {
          let counters = try simulations[index].run()
          sum.withLock { $0.add(counters) }
        } catch {
          report(simulations[index], error)
        }
      }
    }
    return sum.withLock { $0 }
  }
}
