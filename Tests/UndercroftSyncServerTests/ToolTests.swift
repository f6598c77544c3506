#if SyncServer && SyncHTTP
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftSQLite

  /// Tests that run the built tool `undercroft-sync-server`.
  @Suite(.timeLimit(.hangLimit)) struct ToolTests {
    private let tool: ServerTool

    init() throws { tool = try ServerTool() }

    /// SIGTERM, and SIGHUP unless the tests and their programs ignore it, as under `nohup`.
    private static let stopSignals: [Int32] = {
      let handler = signal(SIGHUP, SIG_DFL)
      signal(SIGHUP, handler)
      let isIgnored =
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      return isIgnored ? [SIGTERM] : [SIGTERM, SIGHUP]
    }()

    @Test func `the first start prints a token with which databases synchronise`() async throws {
      let server = try await tool.serve()
      let token = try #require(server.token)
      let (north, south) = (try tool.branch(), try tool.branch())
      try north.execute("INSERT INTO book VALUES ('b1', 'Dune')")

      try await server.synchronise(north, token)
      try await server.synchronise(south, token)
      let status = await onNewThread { server.stop() }
      let second = try await tool.serve()

      let title: String? = try south.fetchValue("SELECT title FROM book")
      #expect(title == "Dune")
      #expect(status == 0)
      #expect(second.output.isEmpty)
      let log = try tool.directory.read("log")
      #expect(!log.contains(token))
      #expect(!log.contains("Dune"))
    }

    @Test func `tokens are created, listed and revoked while a server runs`() async throws {
      let server = try await tool.serve()
      let created = try await tool.run(
        ["token", "create", "ann", "--scope", "library", "--days", "1"])
      let token = created.output.trimmingCharacters(in: .whitespacesAndNewlines)
      let identifier = try #require(created.errors.firstMatch(of: /token (\w+),/)).output.1
      let database = try tool.branch()

      try await server.synchronise(database, token, account: "ann")
      let listed = try await tool.run(["token", "list"])
      let revoked = try await tool.run(["token", "revoke", String(identifier)])
      let isRefused = try await eventually {
        (try? await server.synchronise(database, token, account: "ann")) == nil
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
      let server = try await tool.serve()
      let token = try #require(server.token)
      let north = try tool.branch()
      try north.execute("INSERT INTO book VALUES ('b1', 'Dune')")
      try await server.synchronise(north, token)
      let copy = tool.directory.file("copy")
      let backup = try await tool.run(["backup", copy])
      try north.execute("INSERT INTO book VALUES ('b2', 'Emma')")
      try await server.synchronise(north, token)
      try north.execute("INSERT INTO book VALUES ('b3', 'Ulysses')")
      _ = await onNewThread { server.stop() }
      let refused = try await tool.run(["restore", copy])
      try FileManager.default.moveItem(atPath: tool.data, toPath: tool.directory.file("old"))

      let restored = try await tool.run(["restore", copy])
      let verified = try await tool.run(["verify"])
      let second = try await tool.serve()
      try await second.synchronise(north, token)
      let south = try tool.branch()
      try await second.synchronise(south, token)

      #expect(backup.status == 0)
      #expect(refused.status != 0)
      #expect(restored.output == "Began a new epoch of 1 scope.\n")
      #expect(verified.output == "Verified 1 scope.\n")
      let titles: [String] = try south.fetchAll("SELECT title FROM book ORDER BY id") { row in
        try row[0]
      }
      #expect(titles == ["Dune", "Ulysses"])
    }

    @Test func `scopes are listed and compacted`() async throws {
      let server = try await tool.serve()
      let token = try #require(server.token)
      let north = try tool.branch()
      try north.execute("INSERT INTO book VALUES ('b1', 'Dune')")
      try await server.synchronise(north, token)

      let scopes = try await tool.run(["scopes"])
      let compacted = try await tool.run(["compact"])
      let last = try await tool.run(
        ["compact"],
        environment: [
          "UNDERCROFT_SYNC_RETENTION_MINIMUM_DAYS": "0",
          "UNDERCROFT_SYNC_RETENTION_MAXIMUM_DAYS": "0",
        ])
      let unknown = try await tool.run(["compact", "other"])

      #expect(scopes.output.contains("library\t1\t0\t1\t"))
      #expect(compacted.output.hasPrefix("library: removed 0 tombstones"))
      #expect(last.output.contains("1 operation, 0 conflicts and 1 replica\n"), "\(last.output)")
      #expect(unknown.status != 0)
      #expect(unknown.errors.contains("the scope does not exist"))
      #expect(server.isRunning)
    }

    @Test(arguments: Self.stopSignals)
    func `a signal ends the open connections and event streams, and then the server`(
      signal: Int32
    ) async throws {
      // Only after this time, the server would close connections that remain open.
      let server = try await tool.serve(environment: ["UNDERCROFT_SYNC_STOP_SECONDS": "86400"])
      let (token, port) = (try #require(server.token), try #require(server.port))

      let (heads, events, status) = try await onNewThread {
        let (stream, idle) = (try RawConnection(port: port), try RawConnection(port: port))
        try stream.send(HTTPRequestText(get: "/sync/v1/events?scope=library", token).data)
        try idle.send(HTTPRequestText(get: "/health/live").data)
        let heads = [try stream.readAnswer().status, try idle.readAnswer().status]
        var events = [try stream.readEvent()]
        let status = server.stop(signal)
        while let event = try stream.readEvent() { events.append(event) }
        return (heads, events, status)
      }

      #expect(heads == [200, 200])
      #expect(events == [": connected"])
      #expect(status == 0)
      #expect(server.errors.contains("\"message\":\"stopped\""))
    }

    @Test func `a signal ends a server that waits for the body of a request`() async throws {
      let server = try await tool.serve(environment: ["UNDERCROFT_SYNC_STOP_SECONDS": "0.1"])
      let (token, port) = (try #require(server.token), try #require(server.port))
      let request = HTTPRequestText("push", token, Data(count: 100))

      let (status, answer) = try await onNewThread {
        let connection = try RawConnection(port: port)
        try connection.send(request.data.dropLast(50))
        // When the server answers this, it probably waits for the body.
        let other = try RawConnection(port: port)
        try other.send(HTTPRequestText(get: "/health/live").data)
        _ = try other.readAnswer()
        let status = server.stop()
        return (status, try? connection.readAnswer())
      }

      #expect(status == 0)
      #expect(answer == nil)
      #expect(server.errors.contains("\"message\":\"stopped\""))
    }

    @Test func `a server whose parent process ignores SIGHUP runs on after it`() async throws {
      let server = try await tool.serve(["--log-level", "debug"], preparation: "trap '' HUP")

      kill(try #require(server.identifier), SIGHUP)
      let answer = try await server.send(HTTPRequestText(get: "/health/live"))
      let status = await onNewThread { server.stop() }

      #expect(answer.status == 200)
      #expect(status == 0)
      #expect(server.errors.contains("SIGTERM"))
      #expect(!server.errors.contains("SIGHUP"))
    }

    @Test func `two servers cannot use one folder`() async throws {
      let server = try await tool.serve()

      let second = try await tool.run(["--port", "0"])

      #expect(second.status != 0)
      #expect(second.errors.contains("another process serves the folder"))
      #expect(server.isRunning)
    }

    @Test(arguments: [(configured: "10000", accepted: "235"), ("200", "200")])
    func `the server accepts no more connections than the limit of open files permits`(
      configured: String, accepted: String
    ) async throws {
      let environment = ["UNDERCROFT_SYNC_LIMITS_CONNECTIONS": configured]

      let server = try await tool.serve(environment: environment, preparation: "ulimit -n 400")

      let lines = try server.errors.split(separator: "\n").map { line in
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String] ?? [:]
      }
      let listening = lines.first { $0["message"] == "listening" }
      #expect(listening?["openFiles"] == "400")
      #expect(listening?["connections"] == accepted)
      let warning = lines.first { $0["level"] == "warning" }
      #expect(warning?["configuredConnections"] == (accepted == configured ? nil : configured))
      #expect(warning?["neededFiles"] == (accepted == configured ? nil : "10165"))
      #expect(server.isRunning)
    }

    @Test(arguments: [
      (["--port", "x"], "the value \"x\" is invalid"), (["--host", "0.0.0.0"], "plain text"),
      (["--port", "70000"], "a port is a number from 0 to 65535"),
      (["--certificate", "a.pem"], "only one of the certificate and its key"),
      (["--log-level", "loud"], "there is no such level"), (["--config", "missing"], "missing"),
    ])
    func `a faulty option is reported`(arguments: [String], reason: String) async throws {
      let result = try await tool.run(arguments)

      #expect(result.status == 1)
      #expect(result.errors.contains(reason), "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: tool.data))
    }
  }
#endif
