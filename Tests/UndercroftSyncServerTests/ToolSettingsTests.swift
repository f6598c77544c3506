#if SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing

  /// Tests of the options, the environment and the file with settings of the built tool
  /// `undercroft-sync-server`.
  @Suite(.timeLimit(.hangLimit)) struct ToolSettingsTests {
    private let tool: ServerTool

    init() throws { tool = try ServerTool() }

    /// Writes a file with settings, and returns the options that name it.
    private func config(_ json: String) throws -> [String] {
      try tool.directory.write(json, to: "config.json")
      return ["--config", tool.directory.file("config.json")]
    }

    /// Returns the statuses of the answers to requests whose bodies have 100 and 101 bytes, but
    /// contain no message.
    private func statuses(of server: ServerProcess) async throws -> [Int] {
      var statuses: [Int] = []
      for count in [100, 101] {
        let request = HTTPRequestText("hello", server.token, Data(repeating: 32, count: count))
        statuses.append(try await server.send(request).status)
      }
      return statuses
    }

    // MARK: Sources

    @Test func `a file states settings of each type`() async throws {
      let config = try config(
        """
        {
          "host": "127.0.0.2", "port": 0, "allowPlainHTTP": false, "heartbeatSeconds": 0.5,
          "admin": {"port": 0}
        }
        """)

      let server = try await tool.serve(config, port: nil)

      #expect(server.address?.host() == "127.0.0.2")
      #expect(server.port != 8090)
      #expect(server.errors.contains(/"administration":"\d+"/))
    }

    @Test func `a variable of the environment states each setting of a file`() async throws {
      let server = try await tool.serve(
        port: nil,
        environment: [
          "UNDERCROFT_SYNC_HOST": "127.0.0.1", "UNDERCROFT_SYNC_PORT": "0",
          "UNDERCROFT_SYNC_ALLOW_PLAIN_HTTP": "no", "UNDERCROFT_SYNC_HEARTBEAT_SECONDS": "0.5",
          "UNDERCROFT_SYNC_ADMIN_PORT": "0", "UNDERCROFT_SYNC_LIMITS_BODY_BYTES": "100",
        ])

      let statuses = try await statuses(of: server)
      #expect(statuses == [400, 413])
      #expect(server.errors.contains(/"administration":"\d+"/))
    }

    @Test func `a variable names the file with settings`() async throws {
      let path = try config(#"{"limits":{"bodyBytes":100}}"#)[1]

      let server = try await tool.serve(environment: ["UNDERCROFT_SYNC_CONFIG": path])

      let statuses = try await statuses(of: server)
      #expect(statuses == [400, 413])
    }

    @Test func `a variable names the folder of data for each command`() async throws {
      let other = tool.directory.file("other")

      let created = try await onNewThread { [tool] in
        try Program(built: "undercroft-sync-server").run(
          ["token", "create", "ann", "--scope", "library"],
          environment: ["UNDERCROFT_SYNC_DATA": tool.data])
      }
      let listed = try await tool.run(
        ["token", "list"], environment: ["UNDERCROFT_SYNC_DATA": other])

      #expect(created.status == 0)
      #expect(listed.output.contains("ann\tlibrary\t"))
      #expect(!FileManager.default.fileExists(atPath: other))
    }

    // MARK: Precedence

    @Test func `a variable precedes the file, in which the setting has another type`() async throws
    {
      let config = try config(#"{"limits":{"bodyBytes":10},"log":{"level":["debug"]}}"#)

      let server = try await tool.serve(
        config,
        environment: [
          "UNDERCROFT_SYNC_LIMITS_BODY_BYTES": "100", "UNDERCROFT_SYNC_LOG_LEVEL": "info",
        ])

      let statuses = try await statuses(of: server)
      #expect(statuses == [400, 413])
    }

    @Test func `an option precedes the environment, which precedes the file`() async throws {
      let config = try config(#"{"host":"0.0.0.0","port":70000,"admin":{"port":0}}"#)
      let environment = ["UNDERCROFT_SYNC_HOST": "127.0.0.3", "UNDERCROFT_SYNC_PORT": "70001"]

      let file = try await tool.run(config)
      let variable = try await tool.run(config, environment: environment)
      let server = try await tool.serve(
        config + ["--host", "127.0.0.1"], port: 0, environment: environment)

      #expect(server.address?.host() == "127.0.0.1")
      #expect(server.errors.contains(/"administration":"\d+"/))
      #expect(variable.errors.contains("cannot listen on port 70001"), "\(variable.errors)")
      #expect(file.errors.contains("cannot listen on port 70000"), "\(file.errors)")
    }

    // MARK: Faulty settings

    @Test(arguments: [
      (#"{"host": 5}"#, "\"host\": the value is not a string"),
      (#"{"port": [8090]}"#, "\"port\": the value is not a whole number"),
      (#"{"port": 80.5}"#, "\"port\": the value is not a whole number"),
      (#"{"allowPlainHTTP": "perhaps"}"#, "\"allowPlainHTTP\": the value \"perhaps\" is invalid"),
      (#"{"tls": {"certificate": 5}}"#, "\"tls.certificate\": the value is not a string"),
      (#"{"jwt": {"keyFile": 5}}"#, "\"jwt.keyFile\": the value is not a string"),
      (#"{"stopSeconds": -1}"#, "\"stopSeconds\": the value is not a number of at least 0"),
      ("[]", "cannot read the settings"), (#"{"port": 0"#, "cannot read the settings"),
    ])
    func `a faulty value in a file ends the start with an error`(
      json: String, reason: String
    ) async throws {
      let result = try await tool.run(try config(json))

      #expect(result.status == 1)
      #expect(result.errors.contains(reason), "\(result.errors)")
      #expect(!result.errors.contains("NSCocoaErrorDomain"))
    }

    @Test func `a file of settings that cannot be read ends the start with the reason`()
      async throws
    {
      let folder = try await tool.run(["--config", tool.directory.path])
      let missing = try await tool.run(["--config", tool.directory.file("none")])

      #expect(folder.status == 1)
      #expect(folder.errors.contains(": is a directory; state a readable"), "\(folder.errors)")
      #expect(missing.status == 1)
      #expect(missing.errors.contains(": no such file or directory; state"), "\(missing.errors)")
    }

    @Test func `settings are read from a pipe`() async throws {
      let result = try await tool.run(
        ["--config", "/dev/stdin"], input: #"{"port": 70000}"#)

      #expect(result.errors.contains("cannot listen on port 70000"), "\(result.errors)")
    }

    @Test func `settings without an end are read up to a limit`() async throws {
      let result = try await tool.run(["--config", "/dev/zero"])

      #expect(result.status == 1)
      #expect(result.errors.contains("\"/dev/zero\": it has more than 1 MiB"), "\(result.errors)")
    }

    @Test func `a key that cannot be read ends the start with the reason`() async throws {
      let folder = tool.directory.path

      let result = try await tool.run(
        try config(#"{"jwt": {"keyFile": "\#(folder)", "algorithms": ["RS256"]}}"#))

      #expect(result.status == 1)
      #expect(
        result.errors.contains("the key of JSON Web Tokens \"\(folder)\": is a directory; state"),
        "\(result.errors)")
    }

    @Test(arguments: [
      ("HEARTBEAT_SECONDS", "nan"), ("HEARTBEAT_SECONDS", "1e300"), ("HEARTBEAT_SECONDS", "0"),
      ("STOP_SECONDS", "inf"),
      ("STOP_SECONDS", "1e19"), ("COMPACTION_SECONDS", "1e19"), ("LIMITS_IDLE_SECONDS", "1e10"),
      ("LIMITS_BODY_SECONDS", "1e19"), ("LIMITS_REQUESTS_PER_SECOND", "1e300"),
      ("LIMITS_BODY_BYTES", "9223372036854775807"), ("LIMITS_THREADS", "9223372036854775807"),
      ("LIMITS_STREAMS", "-1"), ("LIMITS_SCOPES_PER_ACCOUNT", "-1"),
      ("LIMITS_BYTES_PER_ACCOUNT", "-1"), ("LIMITS_CONNECTIONS", "9223372036854775808"),
    ])
    func `a number outside of the range of a setting ends the start with an error`(
      variable: String, text: String
    ) async throws {
      let result = try await tool.run(
        ["--port", "0"], environment: ["UNDERCROFT_SYNC_" + variable: text])

      #expect(result.status == 1)
      #expect(!result.wasKilledBySignal)
      #expect(
        result.errors.contains("is invalid") || result.errors.contains("is out of range"),
        "\(result.errors)")
    }

    @Test(arguments: [
      "bodyBytes", "pendingBodyBytes", "connections", "requestsPerSecond", "requestBurst",
      "threads",
    ])
    func `a limit of 0 that would refuse every request ends the start with an error`(
      name: String
    ) async throws {
      let result = try await tool.run(["--port", "0"] + config(#"{"limits":{"\#(name)":0}}"#))

      #expect(result.status == 1)
      #expect(result.errors.contains("cannot serve with limits.\(name) = 0"), "\(result.errors)")
    }

    @Test(arguments: [#"{"minimumDays":9,"maximumDays":8}"#, #"{"minimumDays":181}"#])
    func `a minimum of the retention above the maximum is refused`(json: String) async throws {
      let config = try config("{\"retention\":\(json)}")

      let served = try await tool.run(["--port", "0"] + config)

      #expect(served.status == 1)
      #expect(
        served.errors.contains("retention.minimumDays is above retention.maximumDays"),
        "\(served.errors)")
    }

    @Test func `an address of health and metrics without a port is refused`() async throws {
      let result = try await tool.run(["--port", "0", "--admin-host", "127.0.0.2"])

      #expect(result.status == 1)
      #expect(result.errors.contains("state admin.port (--admin-port)"), "\(result.errors)")
    }

    // MARK: Plain HTTP

    @Test(arguments: ["0.0.0.0", "::", "192.0.2.1", "library.example.org"])
    func `plain HTTP on an address that other computers reach is refused`(
      host: String
    ) async throws {
      let option = try await tool.run(["--port", "0", "--host", host])
      let variable = try await tool.run(
        ["--port", "0"], environment: ["UNDERCROFT_SYNC_HOST": host])
      let file = try await tool.run(["--port", "0"] + config("{\"host\": \"\(host)\"}"))

      for result in [option, variable, file] {
        #expect(result.status == 1)
        #expect(result.errors.contains("cannot listen on \"\(host)\""), "\(result.errors)")
        #expect(result.errors.contains("plain text"))
        #expect(result.output.isEmpty)
      }
    }

    @Test func `plain HTTP on an address that other computers reach needs an explicit setting`()
      async throws
    {
      let host = ["--host", "0.0.0.0"]
      var servers: [ServerProcess] = []
      servers.append(try await tool.serve(host + ["--allow-plain-http"]))
      _ = await onNewThread { [server = servers[0]] in server.stop() }
      servers.append(
        try await tool.serve(host, environment: ["UNDERCROFT_SYNC_ALLOW_PLAIN_HTTP": "true"]))
      _ = await onNewThread { [server = servers[1]] in server.stop() }

      let server = try await tool.serve(host + config(#"{"allowPlainHTTP": true}"#))

      #expect(server.address?.absoluteString.hasPrefix("http://0.0.0.0:") == true)
      // Health and metrics need no token, so other computers do not receive them.
      let health = try await server.send(HTTPRequestText(get: "/health/live"))
      #expect(health.status == 404)
      let message = try await server.send(HTTPRequestText("hello", nil, Data("{}".utf8)))
      #expect(message.status == 401)
    }
  }
#endif
