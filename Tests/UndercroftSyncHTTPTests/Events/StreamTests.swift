#if SyncHTTP
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncHTTP

  @Suite(.timeLimit(.hangLimit)) struct StreamTests {
    @Test func `a stream delivers the pokes of its scopes, and ends with the connection`()
      async throws
    {
      let text =
        ": connected\n\n" + ScriptedReply.poke("A", 7) + ScriptedReply.poke("C", 1)
        + ": heartbeat\n\n" + ScriptedReply.poke("A", 8)
      try await ScriptedServer.run({ _, _ in .events(text, then: .closed) }) { server in
        let test = TestPeer(server.url)
        let pokes = await test.peer.pokes(for: ["A", "B"]).reduce(into: []) { $0.append($1) }

        #expect(pokes == [SyncPoke(scope: "A", head: 7), SyncPoke(scope: "A", head: 8)])
      }
    }

    @Test func `the request names the scopes in percent-encoding`() async throws {
      try await ScriptedServer.run({ _, _ in .events("", then: .closed) }) { server in
        let test = TestPeer(server.url)
        for await _ in test.peer.pokes(for: ["user:1", "team/é&b=+ "]) {}

        let request = try #require(server.requests.first)
        #expect(request.method == "GET")
        #expect(
          request.target
            == "/sync/v1/events?scope=team%2F%C3%A9%26b%3D%2B%20&scope=user%3A1")
        #expect(request.header("Accept") == "text/event-stream")
        #expect(request.header("Authorization") == "Bearer first-token")
      }
    }

    @Test func `events that are no pokes are ignored`() async throws {
      let text =
        "data: {\"scope\":\"A\",\"head\":1}\n\nevent: poke\ndata: {\n\nevent: poke\ndata: {}\n\n"
        + "event: other\ndata: {\"scope\":\"A\",\"head\":2}\n\n"
        + "event: poke\ndata: {\"scope\":7,\"head\":3}\n\n" + ScriptedReply.poke("A", 9)
      try await ScriptedServer.run({ _, _ in .events(text, then: .closed) }) { server in
        let test = TestPeer(server.url)
        let pokes = await test.peer.pokes(for: ["A"]).reduce(into: []) { $0.append($1) }

        #expect(pokes == [SyncPoke(scope: "A", head: 9)])
      }
    }

    @Test func `streams of one peer share a connection`() async throws {
      let script: ScriptedServer.Script = { _, _ in
        .events(ScriptedReply.poke("A", 1) + ScriptedReply.poke("B", 2))
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        var first = test.peer.pokes(for: ["A"]).makeAsyncIterator()
        var second = test.peer.pokes(for: ["B"]).makeAsyncIterator()
        let found = (await first.next(), await second.next())
        // The latest pokes are repeated for a later stream.
        var third = test.peer.pokes(for: ["A"]).makeAsyncIterator()
        let repeated = await third.next()

        #expect(found.0 == SyncPoke(scope: "A", head: 1))
        #expect(found.1 == SyncPoke(scope: "B", head: 2))
        #expect(repeated == SyncPoke(scope: "A", head: 1))
        let streams = server.requests.filter { $0.target.contains("scope=B") }
        #expect(streams.map(\.target) == ["/sync/v1/events?scope=A&scope=B"])
        await test.peer.close()
      }
    }

    @Test func `a stream of a further scope replaces the connection`() async throws {
      let script: ScriptedServer.Script = { request, _ in
        request.target.contains("scope=B")
          ? .events(ScriptedReply.poke("A", 2) + ScriptedReply.poke("B", 2))
          : .events(ScriptedReply.poke("A", 1))
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        var first = test.peer.pokes(for: ["A"]).makeAsyncIterator()
        let before = await first.next()
        var second = test.peer.pokes(for: ["B"]).makeAsyncIterator()
        let further = await second.next()
        let after = await first.next()

        #expect(before == SyncPoke(scope: "A", head: 1))
        #expect(further == SyncPoke(scope: "B", head: 2))
        #expect(after == SyncPoke(scope: "A", head: 2))
        await test.peer.close()
      }
    }

    @Test func `more streams than connections of a pool do not block requests`() async throws {
      let script: ScriptedServer.Script = { request, _ in
        request.method == "GET" ? .events(": connected\n\n") : .message("{}")
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        let streams = (1...20).map { test.peer.pokes(for: [ScopeIdentifier("scope:\($0)")]) }
        let hasArrived = try await server.waitForRequests(1)
        let answer = try await test.hello()

        #expect(hasArrived)
        #expect(answer == "{}")
        #expect(streams.count == 20)
        await test.peer.close()
      }
    }

    @Test func `the connection ends with the task that reads the stream`() async throws {
      try await ScriptedServer.run({ _, _ in .events(ScriptedReply.poke("A", 1)) }) { server in
        let test = TestPeer(server.url)
        let received = Record<SyncPoke>()
        let task = Task { for await poke in test.peer.pokes(for: ["A"]) { received.append(poke) } }
        let hasReceived = try await eventually { received.values.count == 1 }
        task.cancel()
        await task.value
        let isDisconnected = try await server.waitUntilDisconnected()

        #expect(hasReceived)
        #expect(isDisconnected)
      }
    }

    @Test func `closing the peer ends its streams`() async throws {
      try await ScriptedServer.run({ _, _ in .events(ScriptedReply.poke("A", 1)) }) { server in
        let test = TestPeer(server.url)
        var pokes = test.peer.pokes(for: ["A"]).makeAsyncIterator()
        let first = await pokes.next()
        await test.peer.close()
        let end = await pokes.next()
        let later = await test.peer.pokes(for: ["A"]).reduce(into: []) { $0.append($1) }

        #expect(first == SyncPoke(scope: "A", head: 1))
        #expect(end == nil)
        #expect(later == [])
      }
    }

    @Test func `a refused token is renewed`() async throws {
      let script: ScriptedServer.Script = { request, _ in
        request.header("Authorization") == "Bearer second-token"
          ? .events(ScriptedReply.poke("A", 1), then: .closed) : .problem(401)
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url, tokens: ["first-token", "second-token"])
        let pokes = await test.peer.pokes(for: ["A"]).reduce(into: []) { $0.append($1) }

        #expect(pokes == [SyncPoke(scope: "A", head: 1)])
        #expect(test.requestedTokens == [.initial, .refused("first-token")])
      }
    }

    @Test func `a refusal ends the stream after the time that the server demands`() async throws {
      let script: ScriptedServer.Script = { _, _ in
        .problem(429, headers: [("Retry-After", "90")])
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        for await _ in test.peer.pokes(for: ["A"]) {}

        #expect(test.waits == [90_000])
        #expect(server.requests.count == 1)
      }
    }

    @Test func `connections that deliver nothing are followed by doubled waits`() async throws {
      let script: ScriptedServer.Script = { _, number in
        number < 4 ? .raw("", then: .closed) : .events(ScriptedReply.poke("A", 1), then: .closed)
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        for _ in 1...5 { for await _ in test.peer.pokes(for: ["A"]) {} }

        #expect(test.waits == [250, 500, 1_000])
      }
    }

    @Test func `a line without end ends the stream`() async throws {
      let part = [UInt8](repeating: 0x3a, count: 1 << 16)
      let script: ScriptedServer.Script = { _, _ in
        .events(ScriptedReply.poke("A", 1), then: .endless(part))
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        let pokes = await test.peer.pokes(for: ["A"]).reduce(into: []) { $0.append($1) }
        let isDisconnected = try await server.waitUntilDisconnected()

        #expect(pokes == [SyncPoke(scope: "A", head: 1)])
        #expect(isDisconnected)
      }
    }

    @Test func `a stream of no scope ends without a request`() async throws {
      try await ScriptedServer.run({ _, _ in .events("") }) { server in
        let test = TestPeer(server.url)
        for await _ in test.peer.pokes(for: []) {}

        #expect(server.requests.isEmpty)
      }
    }
  }
#endif
