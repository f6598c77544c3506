#if SyncServer
  import Synchronization

  /// The ports on which the applications of a server listen.
  final class ListeningPorts: Sendable {
    private struct State {
      var main: Int?
      var admin: Int?
    }

    private let state = Mutex(State())
    private let count: Int
    private let report: @Sendable (_ port: Int, _ adminPort: Int?) -> Void

    /// Creates an object that reports the ports as soon as the given number of them is known.
    init(count: Int, report: @escaping @Sendable (_ port: Int, _ adminPort: Int?) -> Void) {
      self.count = count
      self.report = report
    }

    func add(main port: Int) { add { $0.main = port } }

    func add(admin port: Int) { add { $0.admin = port } }

    private func add(_ change: (inout State) -> Void) {
      let state = state.withLock { state in
        change(&state)
        return state
      }
      guard let main = state.main, state.admin != nil || count == 1 else { return }
      report(main, state.admin)
    }
  }
#endif
