#if SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing

  /// Tests of names in the file of settings and in the environment that are no settings.
  @Suite(.timeLimit(.hangLimit)) struct ToolUnknownSettingTests {
    private let tool: ServerTool

    init() throws { tool = try ServerTool() }

    /// Writes a file with settings, and returns its path.
    private func file(_ json: String) throws -> String {
      try tool.directory.write(json, to: "config.json")
      return tool.directory.file("config.json")
    }

    @Test(arguments: [
      (#"{"limits": {"bodyByte": 100}}"#, "limits.bodyByte", "limits.bodyBytes"),
      (#"{"limit": {"bodyBytes": 100}}"#, "limit", "limits"),
      (#"{"tls": {"certficate": "a.pem", "key": "b.pem"}}"#, "tls.certficate", "tls.certificate"),
      (#"{"tlsKey": "b.pem"}"#, "tlsKey", "tls.key"),
      (#"{"allowPlainHttp": true}"#, "allowPlainHttp", "allowPlainHTTP"),
      (#"{"prot": null}"#, "prot", "port"), (#"{"hots": {}}"#, "hots", "host"),
      (#"{"config": "other.json"}"#, "config", nil),
      (#"{"log": {"level": "info", "colour": [1]}}"#, "log.colour", nil),
    ])
    func `an unknown name in the file ends the start with the most similar setting`(
      json: String, name: String, similar: String?
    ) async throws {
      let file = try file(json)

      let result = try await tool.run(["--port", "0", "--config", file])

      #expect(result.status == 1)
      #expect(
        result.errors.contains(
          "cannot read the setting \"\(name)\" in \"\(file)\": there is no such setting"),
        "\(result.errors)")
      let question = similar.map { "did you mean \"\($0)\"?" } ?? "did you mean"
      #expect(result.errors.contains(question) == (similar != nil), "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: tool.data))
    }

    @Test(arguments: [
      (#"{"tls": "b.pem"}"#, "\"tls\"", "the value is not an object"),
      (#"{"limits": [100]}"#, "\"limits\"", "the value is not an object"),
      (#"{"port": {"number": 0}}"#, "\"port\"", "the value is an object"),
      (#"{"limits": {"bodyBytes": {}}}"#, "\"limits.bodyBytes\"", "the value is an object"),
      (#"{"port": true}"#, "\"port\"", "the value is a Boolean"),
      (#"{"limits": {"threads": false}}"#, "\"limits.threads\"", "the value is a Boolean"),
    ])
    func `an object or a Boolean in place of another value, or the reverse, is refused`(
      json: String, name: String, reason: String
    ) async throws {
      let result = try await tool.run(["--port", "0", "--config", try file(json)])

      #expect(result.status == 1)
      #expect(result.errors.contains("cannot read the setting \(name) in"), "\(result.errors)")
      #expect(result.errors.contains(reason), "\(result.errors)")
    }

    @Test func `an unknown name is refused by commands that do not serve`() async throws {
      let file = try file(#"{"dta": "sync-data"}"#)

      let result = try await tool.run(["token", "list", "--config", file])

      #expect(result.status == 1)
      #expect(result.errors.contains("did you mean \"data\"?"), "\(result.errors)")
    }

    @Test func `an unknown name is refused even if an option states the setting`() async throws {
      let result = try await tool.run(
        ["--port", "0", "--host", "127.0.0.1", "--config", try file(#"{"hots": "127.0.0.2"}"#)])

      #expect(result.status == 1)
      #expect(result.errors.contains("did you mean \"host\"?"), "\(result.errors)")
    }

    @Test func `a file can state each setting, with a point in its name, and with null`()
      async throws
    {
      let file = try file(
        """
        {
          "data": "unused", "postgres": "", "postgresConnections": 8, "postgresListen": null,
          "shards": 2, "host": "127.0.0.1", "port": 0, "admin.port": 0,
          "admin": {"host": "127.0.0.1"}, "allowPlainHTTP": false, "tls": null,
          "log": {"level": "debug", "format": "json"}, "heartbeatSeconds": 20, "stopSeconds": 10,
          "compactionSeconds": 0, "retention": {"minimumDays": 30, "maximumDays": 180},
          "jwt": {
            "keyFile": null, "algorithms": ["RS256"], "audience": "library", "issuer": "library",
            "scopes": [], "readScopes": []
          },
          "limits": {
            "bodyBytes": 1000000, "pendingBodyBytes": 2000000, "bodySeconds": 60,
            "idleSeconds": 120, "connections": 100, "requestsPerSecond": 1000,
            "requestBurst": 2000, "streams": 10, "threads": 4, "waitingRequests": 100,
            "scopesPerAccount": null, "bytesPerAccount": null
          }
        }
        """)

      let server = try await tool.serve(["--config", file])

      #expect(server.errors.contains("\"message\":\"listening\""), "\(server.errors)")
      #expect(server.errors.contains(/"administration":"\d+"/), "\(server.errors)")
    }

    @Test func `an unknown variable is a warning with the most similar variable`() async throws {
      let server = try await tool.serve(environment: [
        "UNDERCROFT_SYNC_LIMITS_BODYBYTES": "100", "UNDERCROFT_SYNC_SERVICE_HOST": "10.0.0.1",
      ])

      let warnings = try warnings(of: server)
      #expect(
        warnings.map { $0["variable"] } == [
          "UNDERCROFT_SYNC_LIMITS_BODYBYTES", "UNDERCROFT_SYNC_SERVICE_HOST",
        ])
      #expect(warnings.first?["similar"] == "UNDERCROFT_SYNC_LIMITS_BODY_BYTES")
      #expect(!server.errors.contains("10.0.0.1"))
    }

    @Test func `the variables of settings are not warned about`() async throws {
      let server = try await tool.serve(environment: [
        "UNDERCROFT_SYNC_ALLOW_PLAIN_HTTP": "no", "UNDERCROFT_SYNC_ADMIN_PORT": "0",
        "UNDERCROFT_SYNC_LIMITS_PENDING_BODY_BYTES": "20000000",
        "UNDERCROFT_SYNC_RETENTION_MINIMUM_DAYS": "30", "UNDERCROFT_SYNC_JWT_READ_SCOPES": "news",
        "UNDERCROFT_SYNC_CONFIG": try file("{}"), "UNDERCROFT_SYNCHRONISER": "other",
      ])

      let warnings = try warnings(of: server)
      #expect(warnings.isEmpty)
      #expect(server.errors.contains("\"message\":\"listening\""))
    }

    /// Returns the members of the warnings that name a variable.
    private func warnings(of server: ServerProcess) throws -> [[String: String]] {
      try server.errors.split(separator: "\n").compactMap { line in
        let members = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        return members?["level"] == "warning" && members?["variable"] != nil ? members : nil
      }
    }
  }
#endif
