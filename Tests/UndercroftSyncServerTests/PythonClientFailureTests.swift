#if SyncServer && SyncHTTP
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncServer

  /// Tests that a client in another language loses no change and sends none twice.
  @Suite(.enabled(if: PythonClient.isInstalled), .timeLimit(.hangLimit))
  struct PythonClientFailureTests {
    @Test(arguments: [true, false])
    func `a client that is killed while it sends a packet sends it again`(isProcessed: Bool)
      async throws
    {
      try await TestServer.run { server in
        let relay = try Relay(to: server.port) { endpoint, _ in
          guard endpoint == "push" else { return .forward }
          return isProcessed ? .loseAnswer : .loseRequest
        }
        let client = try PythonClient(port: relay.port, token: try server.token("south"))
        try await client.run("add", "b1", "title=Emma")
        let pushing = try client.start("sync")
        let isSent = try await eventually { relay.lost == 1 }
        pushing.send(SIGKILL)
        let killed = try await onNewThread { try pushing.result() }
        let queued = try await client.list().queued
        let headBefore = try server.sync.head(of: Branch.scope)

        let result = try await client.using(port: server.port).run("sync")

        #expect(isSent && killed.wasKilledBySignal)
        #expect(queued == 1)
        #expect(headBefore == (isProcessed ? 1 : 0))
        #expect(result.status == 0, "\(result.errors)")
        let listing = try await client.list()
        #expect(listing.books.map(\.title) == ["Emma"])
        #expect(listing.queued == 0)
        let (head, digest) = (try server.sync.head(of: Branch.scope), try server.digest())
        #expect(head == 1)
        #expect(listing.digest == digest)
      }
    }

    @Test(arguments: ["pull", "push"])
    func `a client sends a request again whose answer was lost`(endpoint: String) async throws {
      try await TestServer.run { server in
        let relay = try Relay(to: server.port) { name, earlier in
          name == endpoint && earlier < 2 ? .cut : .forward
        }
        let client = try PythonClient(port: relay.port, token: try server.token("south"))
        try await client.run("add", "b1", "title=Emma")

        let result = try await client.run("sync")

        #expect(result.status == 0, "\(result.errors)")
        let listing = try await client.list()
        #expect(listing.queued == 0)
        let (head, digest) = (try server.sync.head(of: Branch.scope), try server.digest())
        #expect(head == 1)
        #expect(listing.digest == digest)
      }
    }

    @Test(arguments: [408, 429, 502, 503, 504])
    func `a client tries again if the server demands it`(status: Int) async throws {
      try await TestServer.run { server in
        let relay = try Relay(to: server.port) { name, earlier in
          name == "push" && earlier == 0 ? .answer(status, fields: "Retry-After: 0\r\n") : .forward
        }
        let client = try PythonClient(port: relay.port, token: try server.token("south"))
        try await client.run("add", "b1", "title=Emma")

        let result = try await client.run("sync")

        #expect(result.status == 0, "\(result.errors)")
        let head = try server.sync.head(of: Branch.scope)
        #expect(head == 1)
      }
    }

    @Test func `a client with a refused token sends its changes after the token is renewed`()
      async throws
    {
      try await TestServer.run { server in
        let revoked = try server.tokens.create(account: "south", rules: [ScopeRule("*")])
        try server.tokens.revoke(revoked.token.identifier)
        let client = try PythonClient(port: server.port, token: revoked.secret)
        try await client.run("add", "b1", "title=Emma")

        let refused = try await client.run("sync")
        let queued = try await client.list().queued
        try client.write(token: try server.token("south"))
        let accepted = try await client.run("sync")

        #expect(refused.status == 1)
        #expect(refused.errors.contains("refuses the token"))
        #expect(!refused.errors.contains(revoked.secret))
        #expect(queued == 1)
        #expect(accepted.status == 0, "\(accepted.errors)")
        let head = try server.sync.head(of: Branch.scope)
        #expect(head == 1)
      }
    }

    @Test func `a client with a token for reading pulls, and retains its changes`() async throws {
      try await TestServer.run { server in
        var branch = try Branch("north", on: server.sync)
        _ = try server.sync.push(branch.seal("Dune", "b1"), account: "north")
        let token = try server.token("south", [ScopeRule("library", .read)])
        let client = try PythonClient(port: server.port, token: token)
        try await client.run("add", "b2", "title=Emma")

        let refused = try await client.run("sync")

        #expect(refused.status == 1)
        #expect(refused.errors.contains("403"))
        let listing = try await client.list()
        #expect(listing.books.map(\.title) == ["Dune", "Emma"])
        #expect(listing.queued == 1)
      }
    }

    @Test func `a client that is too old for the server retains its changes`() async throws {
      let schema = SchemaWindow(minimumPull: 1, minimumPush: 2, current: 2)
      try await TestServer.run(schema: schema) { server in
        let client = try PythonClient(port: server.port, token: try server.token("south"))
        try await client.run("add", "b1", "title=Emma")

        let refused = try await client.run("sync")

        #expect(refused.status == 1)
        #expect(refused.errors.contains("upgrade_required"))
        let queued = try await client.list().queued
        #expect(queued == 1)
      }
    }

    @Test func `a rejected change is a conflict, and the row of the server is visible`()
      async throws
    {
      let reject: @Sendable (ProposedChange) -> OperationRejection? = { _ in
        OperationRejection(code: "title_taken", message: "Another book has this title.")
      }
      try await TestServer.run(validate: reject) { server in
        let client = try PythonClient(port: server.port, token: try server.token("south"))
        try await client.run("add", "b1", "title=Emma")

        try await client.run("sync")

        let listing = try await client.list()
        #expect(listing.books.isEmpty)
        #expect(listing.queued == 0)
        #expect(listing.conflicts == 1)
      }
    }

    @Test func `a client sends its token to no other computer without encryption`() async throws {
      try await TestServer.run { server in
        let client = try PythonClient(port: server.port, token: try server.token("south"))

        let refused = try await client.run("sync", server: "http://library.example")

        #expect(refused.status == 1)
        #expect(refused.errors.contains("unencrypted"))
      }
    }
  }
#endif
