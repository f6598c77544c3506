#if SyncServer && SyncHTTP
  import Foundation
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSQLite
  import UndercroftSync
  import UndercroftSyncHTTP

  /// Tests that run the built tool `undercroft-sync-server`.
  @Suite(.timeLimit(.hangLimit)) struct ToolTests {
    private let directory: TemporaryDirectory
    private let program: Program

    init() throws {
      directory = try TemporaryDirectory()
      program = try Program(built: "undercroft-sync-server")
    }

    private var data: String { directory.file("data") }

    /// A running server and what it has printed.
    private final class RunningServer {
      let process: Process
      let output: String
      let port: Int

      init(_ program: Program, _ arguments: [String], log: String) async throws {
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        _ = FileManager.default.createFile(atPath: log + ".out", contents: nil)
        process = Process()
        process.executableURL = program.url
        process.arguments = arguments + ["--log-format", "json"]
        process.standardError = try FileHandle(forWritingTo: URL(filePath: log))
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: log + ".out"))
        try process.run()
        let running = process
        var found: Int?
        var text = ""
        _ = try await eventually {
          text = try String(contentsOfFile: log, encoding: .utf8)
          found = text.firstMatch(of: /"address":"http:\/\/127.0.0.1:(\d+)"/).flatMap { Int($0.1) }
          return found != nil || !running.isRunning
        }
        port = try #require(found, "\(text)")
        output = try String(contentsOfFile: log + ".out", encoding: .utf8)
      }

      deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

      /// Stops the server with a signal, and returns its status.
      func stop() async throws -> Int32 {
        kill(process.processIdentifier, SIGTERM)
        let running = process
        _ = try await eventually { !running.isRunning }
        return process.terminationStatus
      }
    }

    private func serve(_ arguments: [String] = []) async throws -> RunningServer {
      try await RunningServer(
        program, ["--data", data, "--port", "0"] + arguments, log: directory.file("log"))
    }

    private func synchronise(
      _ database: Database, _ token: String, _ port: Int, account: String = "owner"
    ) async throws {
      let address = try #require(URL(string: "http://127.0.0.1:\(port)"))
      let peer = HTTPSyncPeer(server: address) { _ in token }
      let engine = try SyncEngine(
        database, scope: "library", account: account, tables: [SyncedTable("book")], peer: peer)
      _ = try await engine.sync()
      await peer.close()
    }

    private func branch() throws -> Database {
      let database = try Database.inMemory()
      try database.execute("CREATE TABLE book(id TEXT PRIMARY KEY NOT NULL, title TEXT)")
      return database
    }

    @Test func `the first start prints a token with which databases synchronise`() async throws {
      let server = try await serve()
      let token = try #require(server.output.firstMatch(of: /ucs_[\w-]{43}/)).output
      let (north, south) = (try branch(), try branch())
      try north.execute("INSERT INTO book VALUES ('b1', 'Dune')")

      try await synchronise(north, String(token), server.port)
      try await synchronise(south, String(token), server.port)
      let status = try await server.stop()
      let second = try await serve()

      let title: String? = try south.fetchValue("SELECT title FROM book")
      #expect(title == "Dune")
      #expect(status == 0)
      #expect(second.output.isEmpty)
      let log = try directory.read("log")
      #expect(!log.contains(token))
      #expect(!log.contains("Dune"))
    }

    @Test func `tokens are created, listed and revoked while a server runs`() async throws {
      let server = try await serve()
      let created = try await program.run(
        ["token", "create", "ann", "--scope", "library", "--days", "1", "--data", data])
      let token = created.output.trimmingCharacters(in: .whitespacesAndNewlines)
      let identifier = try #require(created.errors.firstMatch(of: /token ([\w-]+),/)).output.1
      let database = try branch()

      try await synchronise(database, token, server.port, account: "ann")
      let listed = try await program.run(["token", "list", "--data", data])
      let revoked = try await program.run(["token", "revoke", String(identifier), "--data", data])
      let isRefused = try await eventually {
        (try? await synchronise(database, token, server.port, account: "ann")) == nil
      }

      #expect(token.hasPrefix("ucs_"))
      #expect(listed.output.contains("ann\tlibrary\t"))
      #expect(!listed.output.contains(token))
      #expect(revoked.status == 0)
      #expect(isRefused)
    }

    @Test func `a restored backup has new epochs, and replicas push what is in their queues`()
      async throws
    {
      let server = try await serve()
      let token = String(try #require(server.output.firstMatch(of: /ucs_[\w-]{43}/)).output)
      let north = try branch()
      try north.execute("INSERT INTO book VALUES ('b1', 'Dune')")
      try await synchronise(north, token, server.port)
      let copy = directory.file("copy")
      let backup = try await program.run(["backup", copy, "--data", data])
      try north.execute("INSERT INTO book VALUES ('b2', 'Emma')")
      try await synchronise(north, token, server.port)
      try north.execute("INSERT INTO book VALUES ('b3', 'Ulysses')")
      _ = try await server.stop()
      let refused = try await program.run(["restore", copy, "--data", data])
      try FileManager.default.moveItem(atPath: data, toPath: directory.file("old"))

      let restored = try await program.run(["restore", copy, "--data", data])
      let verified = try await program.run(["verify", "--data", data])
      let second = try await serve()
      try await synchronise(north, token, second.port)
      let south = try branch()
      try await synchronise(south, token, second.port)

      #expect(backup.status == 0)
      #expect(refused.status != 0)
      #expect(restored.output == "Began new epochs of 1 scopes.\n")
      #expect(verified.output == "Verified 1 scopes.\n")
      let titles: [String] = try south.fetchAll("SELECT title FROM book ORDER BY id") { row in
        try row[0]
      }
      #expect(titles == ["Dune", "Ulysses"])
    }

    @Test func `scopes are listed and compacted`() async throws {
      let server = try await serve()
      let token = String(try #require(server.output.firstMatch(of: /ucs_[\w-]{43}/)).output)
      let north = try branch()
      try north.execute("INSERT INTO book VALUES ('b1', 'Dune')")
      try await synchronise(north, token, server.port)

      let scopes = try await program.run(["scopes", "--data", data])
      let compacted = try await program.run(["compact", "--data", data])
      let unknown = try await program.run(["compact", "other", "--data", data])

      #expect(scopes.output.contains("library\t1\t0\t1\t"))
      #expect(compacted.output.hasPrefix("library: removed 0 tombstones"))
      #expect(unknown.status != 0)
      #expect(unknown.errors.contains("the scope does not exist"))
    }

    @Test func `two servers cannot use one folder`() async throws {
      let server = try await serve()

      let second = try await program.run(["--data", data, "--port", "0"])

      #expect(second.status != 0)
      #expect(second.errors.contains("another process serves the folder"))
      #expect(server.process.isRunning)
    }

    @Test(arguments: [(configured: "10000", accepted: "235"), ("200", "200")])
    func `the server accepts no more connections than the limit of open files permits`(
      configured: String, accepted: String
    ) async throws {
      let script = """
        ulimit -n 400; UNDERCROFT_SYNC_LIMITS_CONNECTIONS=\(configured) exec "$0" "$@"
        """

      let server = try await RunningServer(
        Program(at: "/bin/sh"), ["-c", script, program.path, "--data", data, "--port", "0"],
        log: directory.file("log"))

      let lines = try directory.read("log").split(separator: "\n").map { line in
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String] ?? [:]
      }
      let listening = lines.first { $0["message"] == "listening" }
      #expect(listening?["openFiles"] == "400")
      #expect(listening?["connections"] == accepted)
      let warning = lines.first { $0["level"] == "warning" }
      #expect(warning?["configuredConnections"] == (accepted == configured ? nil : configured))
      #expect(warning?["neededFiles"] == (accepted == configured ? nil : "10165"))
      #expect(server.process.isRunning)
    }

    @Test(arguments: [
      (["--port", "x"], "the value \"x\" is invalid"), (["--host", "0.0.0.0"], "plain text"),
      (["--port", "70000"], "a port is a number from 0 to 65535"),
      (["--certificate", "a.pem"], "only one of the certificate and its key"),
      (["--log-level", "loud"], "there is no such level"), (["--config", "missing"], "missing"),
    ])
    func `a faulty option is reported`(arguments: [String], reason: String) async throws {
      let result = try await program.run(["--data", data] + arguments)

      #expect(result.status != 0)
      #expect(result.errors.contains(reason), "\(result.errors)")
    }

    @Test func `options precede the environment, which precedes the file`() throws {
      try directory.write(#"{"host":"0.0.0.0","port":"x"}"#, to: "config.json")

      let file = try program.run(["--data", data, "--config", directory.file("config.json")])
      let environment = try program.run(
        ["--data", data, "--config", directory.file("config.json")],
        environment: ["UNDERCROFT_SYNC_PORT": "y"])
      let option = try program.run(
        ["--data", data, "--config", directory.file("config.json"), "--port", "z"],
        environment: ["UNDERCROFT_SYNC_PORT": "y"])

      #expect(file.errors.contains("\"x\""))
      #expect(environment.errors.contains("\"y\""))
      #expect(option.errors.contains("\"z\""))
    }
  }
#endif
