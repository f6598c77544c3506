public import UndercroftSync

/// A simulated history of devices that change and synchronise rows while faults happen.
///
/// The seed, the profile and the number of steps determine the history. The history uses the
/// replica and the server of UndercroftSync with databases in memory, a simulated network and
/// simulated clocks. The author of a server store can pass the store to the history, to verify that
/// the rules of synchronisation also hold with this store. At the end, the devices synchronise
/// without faults, and the rules are checked: all devices show the rows of the server, no change is
/// lost without a conflict, and no change is applied twice.
public struct SyncSimulation: Sendable {
  /// The seed of all random choices.
  public let seed: UInt64
  /// The faults, or `nil` if the seed determines them.
  public let profile: SimulationProfile?
  /// The number of steps.
  public let stepCount: Int
  /// Creates the empty store of the server, also when a backup is restored.
  private let makeStore: @Sendable () throws -> any SyncServerStore
  /// The rules of the protocol that a test switches off, to show that the simulation finds a
  /// violation.
  package var mutations: Set<SyncMutation> = []

  /// Creates a simulation without running it.
  ///
  /// - Parameters:
  ///   - seed: the number that determines all random choices.
  ///   - profile: the faults to inject, or `nil` if the seed determines them.
  ///   - stepCount: the number of steps.
  ///   - makeStore: a closure that returns a new, empty store for the server. The simulation calls
  ///     the closure at the beginning, and when the server is restored from a backup.
  public init(
    seed: UInt64, profile: SimulationProfile? = nil, stepCount: Int = 160,
    makeStore: @escaping @Sendable () throws -> any SyncServerStore = { InMemorySyncStore() }
  ) {
    self.seed = seed
    self.profile = profile
    self.stepCount = stepCount
    self.makeStore = makeStore
  }

  var plan: SimulationPlan {
    var plan = SimulationPlan(seed: seed, profile: profile, stepCount: stepCount)
    plan.mutations = mutations
    plan.makeStore = makeStore
    return plan
  }

  /// A description of the history: its seed, faults, conflict policy and tables, and the numbers of
  /// devices and initial rows.
  public var summary: String {
    let plan = plan
    return """
      seed \(seed): profile \(plan.profile.rawValue), policy \(plan.policy.rawValue), \
      \(plan.shape.summary), \(plan.devices.count) devices, \
      \(plan.initialRows) initial rows
      """
  }

  /// Runs the history, and returns the numbers of events in it.
  ///
  /// - Parameter trace: receives a line for each step and message.
  /// - Throws: ``SimulationViolation`` if a rule of synchronisation is violated, or the error of a
  ///   call that must not fail.
  public func run(trace: ((String) -> Void)? = nil) throws -> SimulationCounters {
    try HistoryRun(plan, trace: trace).run()
  }
}

/// The shortest history that was found to violate the same rule as a longer one.
public struct ShrunkSimulation: Sendable {
  /// The violation in the shortest history.
  public let violation: SimulationViolation
  /// A line for each step and message of the shortest history.
  public let trace: [String]
}

extension SyncSimulation {
  /// Returns the violation and the trace of a shorter history that violates the same rule, or `nil`
  /// if this history violates no rule.
  ///
  /// The result describes the shortest such history that was found, which can be this history.
  ///
  /// - Parameter attempts: the number of histories that may be run to find a shorter one.
  public func shrunk(attempts: Int = 400) -> ShrunkSimulation? {
    guard var shrinker = HistoryShrinker(plan, attempts: attempts) else { return nil }
    shrinker.shrink()
    var lines: [String] = []
    let plan = shrinker.plan
    for (number, device) in plan.devices.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "device \(number) has version \(device.schemaVersion) of the schema, and its clock is ahead "
          + "by \(device.skew) ms")
    }
    do { _ = try HistoryRun(plan, trace: { lines.append($0) }).run() } catch {
      lines.append("\(error)")
    }
    return ShrunkSimulation(violation: shrinker.violation, trace: lines)
  }
}
