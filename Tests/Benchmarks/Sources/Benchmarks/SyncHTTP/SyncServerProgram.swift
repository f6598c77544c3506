#if SyncHTTP
  import Foundation
  import UndercroftSync
  import UndercroftSyncHTTP

  /// The release build of the program `undercroft-sync-server`.
  struct SyncServerProgram: Sendable {
    let path: String

    /// Creates a token that grants an account access to all scopes of a server.
    ///
    /// - Parameter data: the arguments that select the data of the server.
    func createToken(for account: String, in data: [String]) throws -> String {
      try FinishedProgram.output(of: path, ["token", "create", account, "--scope", "*"] + data)
    }

    /// Runs `body` while servers run that use the same data, and then stops them.
    ///
    /// - Parameter count: the number of server processes, which is 1 unless the data is in
    ///   PostgreSQL.
    func withServers<Result>(
      _ count: Int = 1, on data: ServerData, _ body: ([SyncServerProcess]) throws -> Result
    ) throws -> Result {
      let servers = try (0..<count).map { try SyncServerProcess(self, data, number: $0) }
      let result = try body(servers)
      for server in servers { try server.stop() }
      return result
    }

    /// Runs `body` while a server runs, and then stops it.
    func withServer<Result>(
      on data: ServerData, _ body: (SyncServerProcess) throws -> Result
    ) throws -> Result {
      try withServers(on: data) { try body($0[0]) }
    }
  }

  /// A running server.
  final class SyncServerProcess {
    let address: URL
    let port: Int
    private let token: String
    private let program: BackgroundProgram

    /// Starts a server on a free port, and waits until it listens.
    ///
    /// - Parameter number: the number of the server among those that use the same data.
    init(_ server: SyncServerProgram, _ data: ServerData, number: Int) throws {
      token = data.token
      program = try BackgroundProgram(
        server.path, data.serverArguments + ["--port", "0", "--log-format", "json"],
        log: data.folder.appending(path: "log-\(number).txt"))
      (address, port) = try program.wait { [program] in
        let match = program.output.firstMatch(of: /"address":"(http:\/\/127\.0\.0\.1:(\d+))"/)
        guard let match, let address = URL(string: String(match.1)), let port = Int(match.2) else {
          return nil
        }
        return (address, port)
      }
    }

    /// The largest resident size so far in bytes.
    func peakByteCount() throws -> Int {
      guard let count = PeakMemory.byteCount(ofProcess: program.processIdentifier) else {
        throw BenchmarkFailure("the size of the server's process is not known")
      }
      return count
    }

    func stop() throws { try program.stop() }

    /// Runs `body` with a peer of the server, and closes the peer.
    func withPeer<Result>(_ body: (HTTPSyncPeer) throws -> Result) throws -> Result {
      let peer = Self.peer(address, token)
      defer { peer.closeAndWait() }
      return try body(peer)
    }

    /// Returns a peer that sends each request once, so that no error remains unnoticed.
    static func peer(_ address: URL, _ token: String) -> HTTPSyncPeer {
      var options = HTTPSyncOptions()
      options.attempts = 1
      options.proxy = .none
      return HTTPSyncPeer(server: address, options: options) { _ in token }
    }

    func peer() -> HTTPSyncPeer { Self.peer(address, token) }
  }

  extension HTTPSyncPeer {
    /// Ends all requests, and blocks the calling thread until all connections are closed.
    func closeAndWait() { try? waitForTask { await self.close() } }
  }
#endif
