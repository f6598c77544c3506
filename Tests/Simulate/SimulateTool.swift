import ArgumentParser
import CSQLite
import Foundation
import SyncModel
import Synchronization
import UndercroftSync
import UndercroftSyncTesting

/// A program that simulates synchronisation with random faults and checks its guarantees.
///
/// `make simulate` runs it. A history is one simulation, whose changes and faults the seed
/// determines.
@main
struct SimulateTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Simulates synchronisation with random faults, and checks its guarantees.")

  @Option(help: "The seed of the first history.") var first: UInt64 = 1
  @Option(help: "How many histories to run.") var seeds = 10_000
  @Option(help: "The seed of one history, which is run with a trace of its steps.") var seed:
    UInt64?
  @Flag(help: "Shortens the history of --seed that violates a guarantee.") var shrink = false
  @Option(help: "How many shorter histories are tried at most.") var attempts = 1000
  @Option(help: "How many steps each history has.") var steps = 160
  @Option(help: "The profile of the faults; by default, the seeds determine it.") var profile:
    String?
  @Option(help: "The name of a disabled rule of the protocol, such as no_clamp.")
  var without: String?
  @Flag(help: "Repeats histories of the protocol model (Python), and compares each step.")
  var model = false
  @Option(help: "How many threads run histories.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  func validate() throws {
    if shrink, seed == nil {
      throw ValidationError(
        "cannot shorten a history: the option --seed is missing; pass the seed of a history")
    }
    // The model has names of its own.
    if !model, let profile, SimulationProfile(rawValue: profile) == nil {
      let names = SimulationProfile.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "cannot find the profile \"\(profile)\": no profile has this name; pass one of \(names)")
    }
    if let without, SyncMutation(rawValue: without) == nil {
      let names = SyncMutation.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "cannot find the rule \"\(without)\": no rule has this name; pass one of \(names)")
    }
  }

  func run() throws {
    if model { return try compareWithModel() }
    if let seed { return try shrink ? shorten(simulation(seed)) : trace(simulation(seed)) }
    let begin = ContinuousClock.now
    // The histories of several threads would wait for one lock.
    _ = undercroft_sqlite_omit_memory_statistics()
    let failureCount = Mutex(0)
    let counters = SimulationCampaign((0..<max(0, seeds)).map { simulation(first &+ UInt64($0)) })
      .run(threads: jobs) { simulation, error in
        failureCount.withLock { $0 += 1 }
        print("\(simulation.summary)\n  violation: \(error)")
        fflush(nil)
      }
    let count = failureCount.withLock { $0 }
    print("\(counters)")
    print("\(count) violations, \((ContinuousClock.now - begin).components.seconds) seconds")
    if count > 0 { throw ExitCode.failure }
  }

  private func compareWithModel() throws {
    let begin = ContinuousClock.now
    var comparison = ModelComparison()
    let count = seed == nil ? seeds : 1
    try comparison.compare(
      ModelTrace(first: seed ?? first, count: count, steps: steps, profile: profile)
    ) { difference in
      print(difference)
      fflush(nil)
    }
    print(
      "\(comparison.histories) histories of the model, \(comparison.steps) steps, "
        + "\(comparison.differences.count) differences, "
        + "\((ContinuousClock.now - begin).components.seconds) seconds")
    // A model that fails between two histories ends its output like one that has finished.
    guard comparison.histories == count else {
      print(
        """
        cannot compare all histories: the model ended before history \
        \(comparison.histories + 1) of \(count); read the error of the model above
        """)
      throw ExitCode.failure
    }
    if !comparison.differences.isEmpty { throw ExitCode.failure }
  }

  private func simulation(_ seed: UInt64) -> SyncSimulation {
    var simulation = SyncSimulation(
      seed: seed, profile: profile.flatMap { SimulationProfile(rawValue: $0) }, stepCount: steps)
    if let mutation = without.flatMap({ SyncMutation(rawValue: $0) }) {
      simulation.mutations = [mutation]
    }
    return simulation
  }

  private func shorten(_ simulation: SyncSimulation) throws {
    print(simulation.summary)
    guard let short = simulation.shrunk(attempts: attempts) else {
      return print("the history violates no guarantee")
    }
    for line in short.trace { print(line) }
    print("violation: \(short.violation)")
    throw ExitCode.failure
  }

  private func trace(_ simulation: SyncSimulation) throws {
    print(simulation.summary)
    do {
      print("\(try simulation.run { print($0) })")
    } catch {
      print("violation: \(error)")
      throw ExitCode.failure
    }
  }
}
