import Synchronization
import UndercroftSQLite
import UndercroftSync

/// The time and the identifiers of a history, which the model determines.
final class ModelClock: Sendable {
  private struct State {
    var now: Int64 = 1_700_000_000_000
    var replica = ""
    var epochs = 0
  }

  private let state = Mutex(State())
  /// The rules that are switched off, to show that the comparison finds differences.
  private let mutations: Set<SyncMutation>

  init(without mutations: Set<SyncMutation>) { self.mutations = mutations }

  /// The time of the server in milliseconds since 1970.
  var now: Int64 {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  /// Sets the identity that a replica has after the step, according to the model.
  func expectReplica(_ replica: String) { state.withLock { $0.replica = replica } }

  /// The environment of the server.
  var environment: SyncEnvironment {
    SyncEnvironment(
      now: { self.now },
      makeIdentifier: {
        self.state.withLock { state in
          state.epochs += 1
          return "epoch \(state.epochs)"
        }
      }, mutations: mutations)
  }

  /// Returns the environment of a device whose clock is ahead by a number of milliseconds.
  ///
  /// A device requests an identifier for a new identity, and for each packet. The identifiers of
  /// packets are not compared.
  func environment(skew: Int64) -> SyncEnvironment {
    SyncEnvironment(
      now: { self.now + skew }, makeIdentifier: { self.state.withLock { $0.replica } },
      mutations: mutations)
  }

  /// Returns the options of the database of a device.
  func options(skew: Int64) -> DatabaseOptions {
    DatabaseOptions(
      setUp: { db in
        try db.add(
          SQLFunction("model_now", argumentCount: 0, isInnocuous: true) { _ in self.now + skew })
      })
  }

  static let expressions = CaptureExpressions(milliseconds: "model_now()") { count in
    "randomblob(\(count))"
  }
}
