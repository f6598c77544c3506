#if SyncHTTP && SyncServer
  import Foundation
  import NetworkTestSupport
  import UndercroftSync

  /// Server processes that clients reach over HTTP, through a proxy that disturbs requests.
  final class NetworkService: SyncService {
    let name = "network"
    let group: ServerGroup
    let relay: Relay
    let token: String
    private let store: NetworkStore
    private let faults: RequestFaults

    /// Creates the data of the server, and starts the proxy.
    ///
    /// - Parameters:
    ///   - folder: the folder for the data and the logs.
    ///   - processes: the number of server processes.
    init(
      _ storeName: NetworkStoreName, in folder: URL, processes: Int, _ faults: RequestFaults
    ) throws {
      let store = try NetworkStore(storeName, in: folder)
      let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "undercroft-sync-server")
      token = try ServerProcess.createToken(
        program, account: SyncPlace.account, data: store.arguments)
      let group = ServerGroup(
        (0..<processes).map { number in
          ServerProcess(
            program, store.arguments, log: folder.appending(path: "server-\(number).log"))
        })
      relay = try Relay(to: { group.ports }) { _, _ in faults.next() }
      self.group = group
      self.store = store
      self.faults = faults
    }

    var server: any Killable { group }

    var clientOptions: [String] { ["--port", "\(relay.port)", "--token", token] }

    /// Restarts PostgreSQL after a third and after two thirds of the rounds.
    func begin(round: Int, of rounds: Int) throws {
      guard store.connection != nil, [rounds / 3 + 1, rounds * 2 / 3 + 1].contains(round) else {
        return
      }
      // A server that cannot open its store ends, as it must.
      _ = group.wait(for: .ready)
      try store.restart()
      print("network: PostgreSQL was restarted in round \(round)")
      fflush(nil)
    }

    func setDisturbed(_ isDisturbed: Bool) { faults.setEnabled(isDisturbed) }

    func killAll() { group.killAll() }

    /// Stops the servers gracefully, and returns their wait statuses, which are 0 after a success.
    func stop() -> [Int32] { group.servers.map { $0.stop() } }

    func openStore() throws -> any SyncServerStore { try store.open() }

    func summary() -> String? {
      let counts = relay.counts
      return "network: \(counts.requests) requests, of which \(counts.failures) failed and "
        + "\(counts.disturbances) were delayed, slowed or duplicated on purpose, and "
        + "\(counts.unanswered) failed because a server was killed"
    }
  }
#endif
