#if SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import UndercroftSync

  /// The built tool `undercroft-sync-server` as a process with a new folder of data.
  struct BuiltServer: Sendable {
    let process: ServerProcess
    /// The folder with the data, which the first command creates.
    let data: URL
    private let program: URL
    private let directory: TemporaryDirectory

    /// Creates a server that is not started yet.
    ///
    /// - Parameter settings: the contents of the file with the settings.
    init(settings: String = "{}") throws {
      directory = try TemporaryDirectory()
      data = directory.url.appending(path: "data")
      program = try Program(built: "undercroft-sync-server").url
      try directory.write(settings, to: "settings.json")
      process = ServerProcess(
        program, data: ["--data", data.path, "--config", directory.file("settings.json")],
        log: directory.url.appending(path: "log"))
    }

    /// Creates a token with access to all scopes.
    ///
    /// A server that runs already accepts the token after about a second.
    func token(_ account: String) throws -> String {
      try ServerProcess.createToken(program, account: account, data: ["--data", data.path])
    }

    /// Starts the server.
    ///
    /// Blocks the thread until the server is ready.
    func start() throws {
      try process.start()
      guard process.waitUntilReady() else {
        throw ServerProcess.Failure(description: try directory.read("log"))
      }
    }

    /// The port of the running server.
    var port: Int {
      get throws {
        guard let port = process.port else {
          throw ServerProcess.Failure(description: "the server does not listen")
        }
        return port
      }
    }

    /// Sends a request on a new connection, and returns the answer.
    func send(_ request: HTTPRequestText) async throws -> HTTPAnswer {
      let connection = try await RawConnection.open(port: try port)
      try await connection.send(request.data)
      return try await connection.readAnswer()
    }

    /// The messages of the server about errors.
    ///
    /// They include answers that no client has read.
    func errors() throws -> [String] {
      try directory.read("log").split(separator: "\n").map(String.init)
        .filter { $0.contains(#""level":"error""#) || $0.contains(#""level":"critical""#) }
    }
  }
#endif
