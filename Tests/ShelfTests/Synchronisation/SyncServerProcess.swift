#if SyncHTTP && SyncServer
  import Foundation
  import TestSupport
  import Testing

  /// A running `undercroft-sync-server` on a port that the system has chosen.
  struct SyncServerProcess {
    private let running: RunningProgram
    let address: String

    /// Starts a server, and waits until it listens.
    ///
    /// - Parameters:
    ///   - directory: the directory of the server's data and of its log.
    ///   - port: the port, or 0 for any free one.
    init(in directory: URL, port: String = "0") throws {
      let log = directory.appending(path: "server.log").path
      let arguments = ["--data", Self.data(in: directory), "--port", port, "--log-format", "json"]
      let running = try Program(at: "/bin/sh").start(
        ["-c", "exec \"$0\" \"$@\" 2>\"$SERVER_LOG\"", Self.program().path] + arguments,
        environment: ["SERVER_LOG": log])
      var found: String?
      while found == nil {
        try #require(
          running.isRunning, "\((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        found = text.firstMatch(of: #/"address":"([^"]*)"/#).map { String($0.1) }
        usleep(5_000)
      }
      self.running = running
      address = try #require(found)
    }

    var port: String { address.split(separator: ":").last.map(String.init) ?? "" }

    /// Stops the server, and returns its status.
    @discardableResult
    func stop() throws -> Int32 {
      running.send(SIGTERM)
      return try running.result().status
    }

    /// Creates a token of an account for its scope, and returns it.
    static func makeToken(_ account: String, in directory: URL) throws -> String {
      let result = try program().run([
        "token", "create", account, "--scope", "shelf:\(account)", "--data", data(in: directory),
      ])
      try #require(result.status == 0, "\(result.errors)")
      return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func data(in directory: URL) -> String {
      directory.appending(path: "server").path
    }

    private static func program() throws -> Program {
      try Program(built: "undercroft-sync-server")
    }
  }
#endif
