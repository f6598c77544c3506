#if SyncHTTP && SyncServer
  import Foundation
  import NetworkTestSupport
  import Synchronization

  /// The server processes of a kill loop, which are killed in turn.
  final class ServerGroup: Killable, Sendable {
    let name = "server"
    let servers: [ServerProcess]
    private let state: Mutex<State>

    private struct State {
      /// The indices of the servers that are not started.
      var stopped: Set<Int>
      /// The index of the server that is killed next.
      var next = 0
    }

    init(_ servers: [ServerProcess]) {
      self.servers = servers
      state = Mutex(State(stopped: Set(servers.indices)))
    }

    /// The ports of the servers that listen.
    var ports: [Int] { servers.compactMap(\.port) }

    /// Starts the servers that are not started yet or were killed.
    func start() throws {
      try state.withLock { state in
        for index in state.stopped.sorted() { try servers[index].start() }
        state.stopped = []
      }
    }

    /// Waits until all servers listen.
    func wait(for progress: SyncProgress) -> Bool {
      servers.allSatisfy { $0.waitUntilListening(within: .seconds(60)) }
    }

    func kill(after moment: Duration) -> Int32 {
      let index = state.withLock { state in
        defer { state.next = (state.next + 1) % servers.count }
        state.stopped.insert(state.next)
        return state.next
      }
      servers[index].waitForEnd(within: moment)
      return servers[index].kill()
    }

    func killAll() {
      for server in servers { _ = server.kill() }
      state.withLock { $0.stopped = Set(servers.indices) }
    }
  }
#endif
