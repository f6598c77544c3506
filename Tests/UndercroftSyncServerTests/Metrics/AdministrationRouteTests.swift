#if SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncServer

  @Suite(.timeLimit(.hangLimit)) struct AdministrationRouteTests {
    @Test func `health and metrics need no token on a loopback address`() async throws {
      try await TestServer.run { server in
        let token = try server.token("north")
        let branch = try Branch("north", on: server.sync)
        let hello = try branch.hello.encoded()
        _ = try await server.send(HTTPRequestText("hello", token, hello))
        _ = try await server.send(HTTPRequestText(get: "/sync/v1/secret-\(token)", token))

        let live = try await server.send(HTTPRequestText(get: "/health/live"))
        let ready = try await server.send(HTTPRequestText(get: "/health/ready"))
        let metrics = try await server.send(HTTPRequestText(get: "/metrics"))

        #expect([live.status, ready.status, metrics.status] as [Int] == [200, 200, 200])
        #expect(metrics.fields["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
        let line = #"undercroft_sync_requests_total{endpoint="hello",status="200"} 1"#
        #expect(metrics.text.contains(line))
        #expect(!metrics.text.contains("secret"))
        #expect(!metrics.text.contains("north"))
      }
    }

    @Test func `an administration port answers only requests for health and metrics`() async throws
    {
      var options = ServerOptions()
      options.adminPort = 0
      try await TestServer.run(options: options) { server in
        let token = try server.token("north")
        let hello = try Branch("north", on: server.sync).hello.encoded()
        let message = HTTPRequestText("hello", token, hello)

        let statuses = [
          try await server.send(HTTPRequestText(get: "/health/live"), admin: true).status,
          try await server.send(HTTPRequestText(get: "/health/live")).status,
          try await server.send(message, admin: true).status, try await server.send(message).status,
        ]

        #expect(statuses == [200, 404, 404, 200])
      }
    }

    @Test func `a server whose store cannot be read is live and not ready`() async throws {
      let store = FailingStore(
        error: StorageError(.io, "cannot read \"/secret\"", backend: "sqlite"))
      try await TestServer.run(store: store) { server in
        let live = try await server.send(HTTPRequestText(get: "/health/live"))
        let ready = try await server.send(HTTPRequestText(get: "/health/ready"))

        #expect([live.status, ready.status] as [Int] == [200, 503])
        #expect(!ready.text.contains("secret"))
      }
    }
  }
#endif
