#if SyncHTTP
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncHTTP

  @Suite(.timeLimit(.hangLimit)) struct PollingTests {
    /// The replies of a network that delays streams, and of a server with the given heads, after
    /// which it refuses polls.
    private static func script(heads: [Int], events: ScriptedReply) -> ScriptedServer.Script {
      let polls = Record<Bool>()
      return { request, _ in
        if request.path.hasSuffix("/events") { return events }
        let number = polls.append(true)
        guard number <= heads.count else { return .problem(400) }
        return .message("{\"scopes\":{\"A\":\(heads[number - 1]),\"other\":1}}")
      }
    }

    private func bodies(_ server: ScriptedServer) -> [String] {
      server.requests.filter { $0.path.hasSuffix("/wait") }
        .map { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test func `if a stream delivers nothing in time, the peer polls for changes`() async throws {
      let script = Self.script(heads: [5, 5, 6], events: .raw(""))
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url) { $0.streamPatience = .milliseconds(50) }
        let pokes = await test.peer.pokes(for: ["A"]).reduce(into: []) { $0.append($1) }

        #expect(pokes == [SyncPoke(scope: "A", head: 5), SyncPoke(scope: "A", head: 6)])
        #expect(
          bodies(server) == [
            "{\"milliseconds\":0,\"protocol\":1,\"scopes\":{\"A\":-1}}",
            "{\"milliseconds\":25000,\"protocol\":1,\"scopes\":{\"A\":5}}",
            "{\"milliseconds\":25000,\"protocol\":1,\"scopes\":{\"A\":5}}",
            "{\"milliseconds\":25000,\"protocol\":1,\"scopes\":{\"A\":6}}",
          ])
      }
    }

    @Test func `a server that answers too early is asked at most once a second`() async throws {
      let script = Self.script(heads: [5, 5, 5, 6], events: .problem(404))
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        for await _ in test.peer.pokes(for: ["A"]) {}

        #expect(test.waits == [1_000, 1_000])
      }
    }

    @Test(arguments: [
      ScriptedReply.problem(404), .response(200, "text/html", Array("<html>".utf8)),
      .response(406, nil, []), .raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"),
    ])
    func `the peer polls if the answer is no stream of events, or is delayed`(
      events: ScriptedReply
    ) async throws {
      try await ScriptedServer.run(Self.script(heads: [5], events: events)) { server in
        let test = TestPeer(server.url) { $0.streamPatience = .milliseconds(50) }
        let pokes = await test.peer.pokes(for: ["A"]).reduce(into: []) { $0.append($1) }

        #expect(pokes == [SyncPoke(scope: "A", head: 5)])
      }
    }

    @Test func `after polling has succeeded, the peer tries streams again only after an hour`()
      async throws
    {
      let script = Self.script(heads: [5], events: .problem(404))
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        let isStream: (ReceivedRequest) -> Bool = { $0.path.hasSuffix("/events") }
        for await _ in test.peer.pokes(for: ["A"]) {}
        for await _ in test.peer.pokes(for: ["A"]) {}
        let before = server.requests.count(where: isStream)
        test.advance(by: 3_600_000)
        for await _ in test.peer.pokes(for: ["A"]) {}

        #expect(before == 1)
        #expect(server.requests.count(where: isStream) == 2)
      }
    }

    @Test func `polls that succeed end after an hour, so that the peer tries a stream again`()
      async throws
    {
      let (peers, polls) = (Record<TestPeer>(), Record<Bool>())
      let script: ScriptedServer.Script = { request, _ in
        if request.path.hasSuffix("/events") { return .problem(404) }
        let number = polls.append(true)
        if number == 2 { peers.values.first?.advance(by: 3_600_000) }
        return number <= 2 ? .message("{\"scopes\":{\"A\":\(number)}}") : .problem(400)
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        peers.append(test)
        let pokes = await test.peer.pokes(for: ["A"]).reduce(into: []) { $0.append($1) }

        #expect(pokes == [SyncPoke(scope: "A", head: 1), SyncPoke(scope: "A", head: 2)])
        #expect(
          server.requests.map(\.path) == [
            "/sync/v1/events", "/sync/v1/wait", "/sync/v1/wait",
          ])
      }
    }

    @Test func `a clock that is set back does not prolong polling`() async throws {
      let script = Self.script(heads: [5], events: .problem(404))
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        for await _ in test.peer.pokes(for: ["A"]) {}
        test.advance(by: -86_400_000)
        for await _ in test.peer.pokes(for: ["A"]) {}

        #expect(server.requests.count { $0.path.hasSuffix("/events") } == 2)
      }
    }

    @Test func `if polling fails too, the next attempt is a stream`() async throws {
      let script = Self.script(heads: [], events: .problem(404))
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        for _ in 1...2 { for await _ in test.peer.pokes(for: ["A"]) {} }

        let paths = server.requests.map(\.path)
        #expect(
          paths == [
            "/sync/v1/events", "/sync/v1/wait", "/sync/v1/events", "/sync/v1/wait",
          ])
      }
    }

    @Test func `a peer polls for scopes whose names are too long for an address`() async throws {
      try await ScriptedServer.run(Self.script(heads: [5], events: .events(""))) { server in
        let test = TestPeer(server.url)
        let long = ScopeIdentifier(String(repeating: "x", count: 5_000))
        let pokes = await test.peer.pokes(for: [long, "A"]).reduce(into: []) { $0.append($1) }

        #expect(pokes == [SyncPoke(scope: "A", head: 5)])
        #expect(server.requests.allSatisfy { $0.path.hasSuffix("/wait") })
      }
    }

    @Test func `the server is asked to wait for at most half of the idle timeout`() async throws {
      let script = Self.script(heads: [5], events: .problem(404))
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url) { $0.idleTimeout = .seconds(30) }
        for await _ in test.peer.pokes(for: ["A"]) {}

        #expect(bodies(server).last?.contains("\"milliseconds\":15000") == true)
      }
    }

    @Test func `polling ends with the task that reads the stream`() async throws {
      let script: ScriptedServer.Script = { request, number in
        if request.path.hasSuffix("/events") { return .problem(404) }
        return number == 2 ? .message("{\"scopes\":{\"A\":1}}") : .raw("")
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        let task = Task { for await _ in test.peer.pokes(for: ["A"]) {} }
        let hasArrived = try await server.waitForRequests(3)
        task.cancel()
        await task.value
        let isDisconnected = try await server.waitUntilDisconnected()

        #expect(hasArrived)
        #expect(isDisconnected)
      }
    }

    @Test func `an answer to a poll with another content type ends the stream`() async throws {
      let answer = Array("{\"scopes\":{\"A\":1}}".utf8)
      let script: ScriptedServer.Script = { request, _ in
        request.path.hasSuffix("/events")
          ? .problem(404) : .response(200, "application/json", answer)
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        let pokes = await test.peer.pokes(for: ["A"]).reduce(into: []) { $0.append($1) }

        #expect(pokes == [])
        #expect(server.requests.count == 2)
      }
    }

    @Test(arguments: ["", "[]", "{}", "{\"scopes\":[]}"])
    func `an unreadable answer to a poll ends the stream`(body: String) async throws {
      let script: ScriptedServer.Script = { request, _ in
        request.path.hasSuffix("/events") ? .problem(404) : .message(body)
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        let pokes = await test.peer.pokes(for: ["A"]).reduce(into: []) { $0.append($1) }

        #expect(pokes == [])
      }
    }
  }
#endif
