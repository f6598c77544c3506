#if SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncServer

  @Suite(.timeLimit(.hangLimit)) struct EventRouteTests {
    /// Opens a stream, and returns the connection after the head of the answer.
    private func open(
      _ scopes: [String], _ token: String, _ server: TestServer
    ) async throws -> (connection: RawConnection, status: Int) {
      let query = scopes.map { "scope=\($0)" }.joined(separator: "&")
      let connection = try await RawConnection.open(port: server.port)
      try await connection.send(HTTPRequestText(get: "/sync/v1/events?" + query, token).data)
      return (connection, try await connection.readAnswer().status)
    }

    /// Reads events until the next one that is not a comment.
    private func poke(_ connection: RawConnection) async throws -> String? {
      while let event = try await connection.readEvent() {
        if !event.hasPrefix(":") { return event }
      }
      return nil
    }

    @Test func `a stream begins with the version of each scope and continues with changes`()
      async throws
    {
      try await TestServer.run { server in
        var branch = try Branch("north", on: server.sync)
        _ = try server.sync.push(branch.seal("Dune"), account: "north")
        let token = try server.token("south")
        let (connection, status) = try await open(["library", "unknown"], token, server)
        #expect(status == 200)

        let first = try await poke(connection)
        _ = try server.sync.push(branch.seal("Emma", "b2"), account: "north")
        let second = try await poke(connection)

        #expect(first == "event: poke\nid: 1\ndata: {\"head\":1,\"scope\":\"library\"}")
        #expect(second == "event: poke\nid: 2\ndata: {\"head\":2,\"scope\":\"library\"}")
      }
    }

    @Test func `a change while a stream is opened is not replaced by the version before it`()
      async throws
    {
      let store = InterruptedStore()
      try await TestServer.run(store: store) { server in
        var branch = try Branch("north", on: server.sync)
        _ = try server.sync.push(branch.seal("Dune"), account: "north")
        let token = try server.token("south")
        let packet = branch.seal("Emma", "b2")
        store.afterNextRead { _ = try server.sync.push(packet, account: "north") }

        let (connection, _) = try await open(["library"], token, server)
        let first = try await poke(connection)

        #expect(first == "event: poke\nid: 2\ndata: {\"head\":2,\"scope\":\"library\"}")
      }
    }

    @Test func `a request for many scopes is longer than the first buffer of a connection`()
      async throws
    {
      try await TestServer.run { server in
        var branch = try Branch("north", on: server.sync)
        _ = try server.sync.push(branch.seal("Dune"), account: "north")
        let token = try server.token("south")
        let scopes = (0..<300).map { "shelf-\($0)" }

        let (connection, status) = try await open(scopes + ["library"], token, server)
        let first = try await poke(connection)

        #expect(status == 200)
        #expect(first == "event: poke\nid: 1\ndata: {\"head\":1,\"scope\":\"library\"}")
      }
    }

    @Test func `an idle stream sends comments`() async throws {
      var options = ServerOptions()
      options.heartbeatSeconds = 0.2
      try await TestServer.run(options: options) { server in
        let token = try server.token("south")
        let (connection, _) = try await open(["library"], token, server)

        let events = [try await connection.readEvent(), try await connection.readEvent()]

        #expect(events == [": connected", ": heartbeat"])
      }
    }

    @Test func `the revocation of a token ends its streams and no others`() async throws {
      try await TestServer.run { server in
        _ = try Branch("north", on: server.sync)
        let revoked = try server.tokens.create(account: "south", rules: [ScopeRule("*")])
        let (connection, _) = try await open(["library"], revoked.secret, server)
        let (other, _) = try await open(["library"], try server.token("south"), server)
        _ = try await poke(connection)
        _ = try await poke(other)

        try server.tokens.revoke(revoked.token.identifier)

        let end = try await poke(connection)
        try server.sync.restoreEpoch(of: "library")
        let next = try await poke(other)
        #expect(end == nil)
        #expect(next?.hasPrefix("event: poke") == true)
      }
    }

    @Test func `the expiration of a token ends its streams`() async throws {
      var options = ServerOptions()
      options.heartbeatSeconds = 0.2
      try await TestServer.run(options: options) { server in
        // On a busy machine, a token can expire before the request arrives.
        var (lifetime, status, stream) = (1.0, 401, RawConnection?.none)
        while status == 401 {
          let token = try server.token("south", expiration: Date().addingTimeInterval(lifetime))
          (stream, status) = try await open(["library"], token, server)
          lifetime *= 2
        }
        try #require(status == 200)
        let connection = try #require(stream)

        var end: String?
        repeat { end = try await connection.readEvent() } while end != nil

        #expect(end == nil)
      }
    }

    @Test func `an account cannot have more streams than allowed`() async throws {
      var limits = ServerLimits()
      limits.streams = 2
      try await TestServer.run(limits: limits) { server in
        let token = try server.token("south")
        let (first, _) = try await open(["library"], token, server)
        let (second, _) = try await open(["library"], token, server)
        _ = [try await first.readEvent(), try await second.readEvent()]

        let refused = try await server.send(
          HTTPRequestText(get: "/sync/v1/events?scope=library", token))
        let (_, other) = try await open(["library"], try server.token("north"), server)

        #expect(refused.status == 429)
        #expect(refused.code == "tooManyStreams")
        #expect(refused.fields["retry-after"] != nil)
        #expect(other == 200)
      }
    }

    @Test func `a stream names at least one readable scope`() async throws {
      try await TestServer.run { server in
        let token = try server.token("south", [ScopeRule("library", .read)])

        let none = try await server.send(HTTPRequestText(get: "/sync/v1/events", token))
        let foreign = try await server.send(HTTPRequestText(get: "/sync/v1/events?scope=a", token))
        let (_, status) = try await open(["a", "library"], token, server)

        let statuses: [Int] = [none.status, foreign.status, status]
        #expect(statuses == [400, 403, 200])
      }
    }

    // MARK: Waiting

    private func wait(
      _ body: String, _ token: String, _ server: TestServer
    ) async throws -> HTTPAnswer {
      try await server.send(HTTPRequestText("wait", token, Data(body.utf8)))
    }

    /// Waits for the first change, again and again, because a wait can end after its maximum time
    /// on a busy machine.
    private func waitForChange(_ token: String, _ server: TestServer) async throws -> HTTPAnswer {
      let body = #"{"protocol":1,"scopes":{"library":0},"milliseconds":60000}"#
      while true {
        let answer = try await wait(body, token, server)
        if answer.text != #"{"protocol":1,"scopes":{"library":0}}"# { return answer }
      }
    }

    @Test func `a wait ends at once if a version differs from the known one`() async throws {
      try await TestServer.run { server in
        _ = try Branch("north", on: server.sync)
        let token = try server.token("south")

        let answer = try await wait(
          #"{"protocol":1,"scopes":{"library":7},"milliseconds":60000}"#, token, server)

        #expect(answer.status == 200)
        #expect(answer.text == #"{"protocol":1,"scopes":{"library":0}}"#)
      }
    }

    @Test func `a wait ends with the next change, or after its time`() async throws {
      try await TestServer.run { server in
        var branch = try Branch("north", on: server.sync)
        let token = try server.token("south")
        let known = #"{"protocol":1,"scopes":{"library":0},"milliseconds":"#

        let unchanged = try await wait(known + "10}", token, server)
        let waiting = Task { try await waitForChange(token, server) }
        let isWaiting = try await eventually { server.sync.pokeStreamCount == 1 }
        _ = try server.sync.push(branch.seal("Dune"), account: "north")
        let changed = try await waiting.value

        #expect(isWaiting)
        #expect(unchanged.text == #"{"protocol":1,"scopes":{"library":0}}"#)
        #expect(changed.text == #"{"protocol":1,"scopes":{"library":1}}"#)
      }
    }

    @Test func `a client that disconnects no longer waits`() async throws {
      var limits = ServerLimits()
      limits.streams = 1
      try await TestServer.run(limits: limits) { server in
        var branch = try Branch("north", on: server.sync)
        let (token, other) = (try server.token("south"), try server.token("east"))
        let known = #"{"protocol":1,"scopes":{"library":0},"milliseconds":"#
        let long = known + "60000}"
        let earlier = Task { try await waitForChange(other, server) }
        var areWaiting = [try await eventually { server.sync.pokeStreamCount == 1 }]
        var connection: RawConnection? = try await RawConnection.open(port: server.port)
        try await connection?.send(HTTPRequestText("wait", token, Data(long.utf8)).data)
        areWaiting.append(try await eventually { server.sync.pokeStreamCount == 2 })
        let refused = try await wait(known + "1}", token, server)

        connection = nil
        let isAccepted = try await eventually {
          try await wait(known + "1}", token, server).status == 200
        }

        #expect(areWaiting == [true, true])
        #expect(refused.status == 429)
        #expect(isAccepted)
        let isOneLeft = try await eventually { server.sync.pokeStreamCount == 1 }
        #expect(isOneLeft)
        _ = try server.sync.push(branch.seal("Dune"), account: "north")
        let answer = try await earlier.value
        #expect(answer.text == #"{"protocol":1,"scopes":{"library":1}}"#)
      }
    }

    @Test func `a connection can wait again after a wait has ended`() async throws {
      try await TestServer.run { server in
        _ = try Branch("north", on: server.sync)
        let token = try server.token("south")
        let body = #"{"protocol":1,"scopes":{"library":0},"milliseconds":1}"#
        let request = HTTPRequestText("wait", token, Data(body.utf8)).data
        let connection = try await RawConnection.open(port: server.port)

        var statuses: [Int] = []
        for _ in 0..<2 {
          try await connection.send(request)
          statuses.append(try await connection.readAnswer().status)
        }

        #expect(statuses == [200, 200])
      }
    }

    @Test(arguments: [
      ("", 400), ("[]", 400), (#"{"protocol":2,"scopes":{"library":0},"milliseconds":1}"#, 426),
      (#"{"protocol":1,"scopes":{},"milliseconds":1}"#, 400),
      (#"{"protocol":1,"scopes":{"library":"x"},"milliseconds":1}"#, 400),
      (#"{"protocol":1,"scopes":{"library":0},"milliseconds":-1}"#, 400),
      (#"{"protocol":1,"scopes":{"other":0},"milliseconds":1}"#, 403),
    ])
    func `a faulty request to wait is refused`(body: String, status: Int) async throws {
      try await TestServer.run { server in
        let token = try server.token("south", [ScopeRule("library")])

        let answer = try await wait(body, token, server)

        #expect(answer.status == status)
      }
    }
  }
#endif
