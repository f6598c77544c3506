import Synchronization
import UndercroftSQLite
import UndercroftSync

/// The clock and the source of identifiers for the replay of a history, which follow the model.
final class ModelClock: Sendable {
  private struct State {
    var now: Int64 = 1_700_000_000_000
    var replica = ""
    var epochs = 0
  }

  private let state = Mutex(State())
  /// The disabled rules of the protocol.
  ///
  /// Tests disable a rule to verify that the comparison finds a difference.
  private let mutations: Set<SyncMutation>

  init(without mutations: Set<SyncMutation>) { self.mutations = mutations }

  /// The time of the server in milliseconds since 1970.
  var now: Int64 {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  /// Sets the replica identifier that the model's device has after the present step.
  ///
  /// A device that needs a new identity in the step gets this identifier.
  func expectReplica(_ replica: String) { state.withLock { $0.replica = replica } }

  /// The environment of the server, whose identifiers are numbered.
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

  /// Returns the environment of a device whose clock is `skew` milliseconds ahead of the server's.
  ///
  /// A device requests an identifier for each new identity and for each packet. The comparison
  /// ignores the identifiers of packets.
  func environment(skew: Int64) -> SyncEnvironment {
    SyncEnvironment(
      now: { self.now + skew }, makeIdentifier: { self.state.withLock { $0.replica } },
      mutations: mutations)
  }

  /// Returns the options of a device's database, with the SQL function `model_now` for its clock.
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
