#if SyncServer
  import Synchronization
  import UndercroftTesting

  /// A random choice of the requests that a relay disturbs, by a seed.
  package final class RequestFaults: Sendable {
    /// The kinds of faults.
    package enum Kinds: Sendable {
      /// Requests are cut, delayed, slowed and duplicated.
      case all
      /// Requests fail: they are cut, or answered with an error.
      case failures
    }

    private struct State {
      var random: SeededGenerator
      var isEnabled = true
    }

    private let share: Double
    private let kinds: Kinds
    private let state: Mutex<State>

    /// Creates a choice.
    ///
    /// - Parameter share: the part of all requests that are disturbed, from 0 to 1.
    package init(seed: UInt64, share: Double, _ kinds: Kinds) {
      self.share = share
      self.kinds = kinds
      state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    /// Sets whether requests are disturbed.
    package func setEnabled(_ isEnabled: Bool) { state.withLock { $0.isEnabled = isEnabled } }

    /// Returns the action for the next request.
    package func next() -> Relay.Action {
      state.withLock { state in
        guard state.isEnabled, Double.random(in: 0..<1, using: &state.random) < share else {
          return .forward
        }
        switch Int.random(in: 0..<(kinds == .all ? 7 : 4), using: &state.random) {
        case 0: return .cut
        case 1: return .cutRequest
        case 2: return .cutAnswer
        case 3: return .answer(503, fields: "Retry-After: 0\r\n")
        case 4: return .delay(.milliseconds(Int.random(in: 1...500, using: &state.random)))
        case 5: return .slow(Int.random(in: 5_000...200_000, using: &state.random))
        default:
          // The server often receives later requests of the client before the second copy.
          return .duplicate(after: .milliseconds(Int.random(in: 0...500, using: &state.random)))
        }
      }
    }
  }
#endif
