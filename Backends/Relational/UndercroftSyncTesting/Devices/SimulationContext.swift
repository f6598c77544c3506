import Synchronization
import UndercroftFoundation
import UndercroftSQLite
import UndercroftSync

/// The clock and the random numbers of a history, which replace those of the system.
final class SimulationContext: Sendable {
  private struct State {
    var now: Int64 = 1_700_000_000_000
    var random = SimulationRandom(seed: 0)
  }

  private let state = Mutex(State())
  /// The rules of the protocol that are switched off.
  private let mutations: Set<SyncMutation>

  init(mutations: Set<SyncMutation>) { self.mutations = mutations }

  /// The time of the server in milliseconds since 1970.
  var now: Int64 { state.withLock { $0.now } }

  func advance(by milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

  /// Makes all later identifiers and random bytes depend only on a seed.
  func reseed(_ seed: UInt64) {
    state.withLock { $0.random = SimulationRandom(seed: seed ^ 0x5151_5151_5151_5151) }
  }

  func makeIdentifier() -> String { state.withLock { $0.random.uuid() } }

  func bytes(_ count: Int) -> Data { state.withLock { $0.random.bytes(count) } }

  /// Returns the environment of a process whose clock is ahead by a number of milliseconds.
  func environment(skew: Int64) -> SyncEnvironment {
    SyncEnvironment(
      now: { self.now + skew }, makeIdentifier: { self.makeIdentifier() },
      mutations: mutations)
  }
}

extension CaptureExpressions {
  /// The SQL expressions that call the functions that ``SimulationContext/options(skew:)`` adds to
  /// connections.
  static let simulated = CaptureExpressions(milliseconds: "simulation_now()") { count in
    "simulation_random(\(count))"
  }
}

extension SimulationContext {
  /// Returns the options of a device's database, with SQL functions for the simulated clock and
  /// random bytes.
  func options(skew: Int64) -> DatabaseOptions {
    DatabaseOptions(
      setUp: { db in
        try db.add(
          SQLFunction("simulation_now", argumentCount: 0, isInnocuous: true) { _ in
            self.now + skew
          })
        try db.add(
          SQLFunction("simulation_random", argumentCount: 1, isInnocuous: true) { arguments in
            let count: Int = try arguments[0]
            return self.bytes(count)
          })
      }, observesRows: false)
  }
}
