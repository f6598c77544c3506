#if SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import UndercroftSQLite

  /// The built tool `undercroft-sync-server` with a folder of data, for one test.
  struct ServerTool {
    let directory: TemporaryDirectory
    private let program: Program

    init() throws {
      directory = try TemporaryDirectory()
      program = try Program(built: "undercroft-sync-server")
    }

    /// The folder with the data of the server.
    var data: String { directory.file("data") }

    /// Starts a server, and waits until it listens.
    ///
    /// - Parameters:
    ///   - port: the port, 0 for a free one, or `nil` if the environment or a file states it.
    ///   - preparation: the commands of the shell that starts the server, such as `ulimit -n 400`.
    func serve(
      _ options: [String] = [], port: Int? = 0, environment: [String: String] = [:],
      preparation: String? = nil
    ) async throws -> ServerProcess {
      let server = try server(
        options, port: port, environment: environment, preparation: preparation)
      try await onNewThread { try server.startListening() }
      return server
    }

    /// Creates a server that is not started yet.
    func server(
      _ options: [String] = [], port: Int? = 0, environment: [String: String] = [:],
      preparation: String? = nil
    ) throws -> ServerProcess {
      ServerProcess(
        try preparation.map(launcher) ?? program.url, ["--data", data] + options, port: port,
        environment: environment, log: directory.url.appending(path: "log"))
    }

    /// Creates a token with access to all scopes.
    func token(_ account: String) async throws -> String {
      let (program, data) = (program.url, ["--data", data])
      return try await onNewThread {
        try ServerProcess.createToken(program, account: account, data: data)
      }
    }

    /// Writes a script that starts the tool after other commands.
    private func launcher(preparation: String) throws -> URL {
      let script = directory.url.appending(path: "launcher")
      try Data("#!/bin/sh\n\(preparation); exec '\(program.path)' \"$@\"\n".utf8)
        .write(to: script)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script.path)
      return script
    }

    /// Runs a command on the folder of data to its end.
    func run(
      _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) async throws -> ProgramResult {
      let (program, arguments) = (program, arguments + ["--data", data])
      return try await onNewThread {
        try program.run(arguments, input: input, environment: environment)
      }
    }

    /// Creates the database of a branch of the library, which has no books yet.
    func branch() throws -> Database {
      let database = try Database.inMemory()
      try database.execute("CREATE TABLE book(id TEXT PRIMARY KEY NOT NULL, title TEXT)")
      return database
    }
  }
#endif
