#if SyncHTTP
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncHTTP

  @Suite(.timeLimit(.hangLimit)) struct RetryTests {
    @Test(arguments: [408, 429, 502, 503, 504])
    func `a request to an overloaded server is sent again after a wait`(status: Int) async throws {
      let script: ScriptedServer.Script = { _, number in
        number == 1 ? .problem(status) : .message("{}")
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        let answer = try await test.hello()

        #expect(answer == "{}")
        #expect(test.waits == [250])
        let identifiers = server.requests.map { $0.header("Request-Identifier") }
        #expect(Set(identifiers).count == 1)
      }
    }

    @Test func `waits are doubled up to the longest one, and end after the last attempt`()
      async throws
    {
      let script: ScriptedServer.Script = { _, _ in .problem(503, detail: "closed for lunch") }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url) { options in
          options.attempts = 5
          options.shortestBackOff = .seconds(1)
          options.longestBackOff = .seconds(3)
        }
        let error = try #require(await test.helloError())

        #expect(error.code == .unavailable)
        #expect(error.message.contains("closed for lunch"))
        #expect(server.requests.count == 5)
        #expect(test.waits == [500, 1_000, 1_500, 1_500])
      }
    }

    @Test func `a wait is at least as long as the server demands`() async throws {
      let script: ScriptedServer.Script = { _, number in
        number == 1 ? .problem(429, headers: [("Retry-After", "7")]) : .message("{}")
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        _ = try await test.hello()

        #expect(test.waits == [7_250])
      }
    }

    @Test func `if the server demands a long wait, requests fail at once until it has ended`()
      async throws
    {
      let script: ScriptedServer.Script = { _, number in
        number == 1 ? .problem(503, headers: [("Retry-After", "600")]) : .message("{}")
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        let first = try #require(await test.helloError())
        let second = try #require(await test.helloError())
        test.advance(by: 600_000)
        let answer = try await test.hello()

        #expect(first.code == .unavailable)
        #expect(second.message.contains("600 seconds"))
        #expect(test.waits == [])
        #expect(answer == "{}")
        #expect(server.requests.count == 2)
      }
    }

    @Test func `a wait that the server demands after the last attempt delays the next request`()
      async throws
    {
      let script: ScriptedServer.Script = { _, number in
        number <= 2
          ? .problem(503, detail: "closed for lunch", headers: [("Retry-After", "7")])
          : .message("{}")
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url) { $0.attempts = 2 }
        let first = try #require(await test.helloError())
        let second = try #require(await test.helloError())
        test.advance(by: 6_000)
        let third = try #require(await test.helloError())
        test.advance(by: 1_000)
        let answer = try await test.hello()

        #expect(first.message.contains("closed for lunch"))
        #expect(second.message.contains("for another 7 seconds;"))
        #expect(third.message.contains("for another second;"))
        #expect(test.waits == [7_250])
        #expect(answer == "{}")
        #expect(server.requests.count == 3)
      }
    }

    @Test func `while the server demands a wait, the peer requests no stream`() async throws {
      let script: ScriptedServer.Script = { request, _ in
        request.method == "GET"
          ? .events(ScriptedReply.poke("A", 1), then: .closed)
          : .problem(503, headers: [("Retry-After", "600")])
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        _ = await test.helloError()
        let before = await test.peer.pokes(for: ["A"]).reduce(into: []) { $0.append($1) }
        test.advance(by: 600_000)
        let after = await test.peer.pokes(for: ["A"]).reduce(into: []) { $0.append($1) }

        #expect(before == [])
        #expect(after == [SyncPoke(scope: "A", head: 1)])
        #expect(server.requests.count == 2)
      }
    }

    @Test func `a request is not sent again if another answer demands a long wait meanwhile`()
      async throws
    {
      let script: ScriptedServer.Script = { _, number in
        .problem(503, headers: number == 1 ? [] : [("Retry-After", "600")])
      }
      try await ScriptedServer.run(script) { server in
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let test = TestPeer(server.url, wait: { for await _ in gate {} })
        let waiting = Task { await test.helloError() }
        let hasArrived = try await server.waitForRequests(1)
        let other = try #require(await test.helloError())
        opening.finish()
        let error = try #require(await waiting.value)

        #expect(hasArrived)
        #expect(other.message.contains("503"))
        #expect(error.message.contains("600 seconds"))
        #expect(server.requests.count == 2)
      }
    }

    @Test func `no server can stop requests for more than an hour`() async throws {
      let script: ScriptedServer.Script = { _, number in
        number == 1
          ? .problem(503, headers: [("Retry-After", "99999999999999999999999")]) : .message("{}")
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        _ = await test.helloError()
        test.advance(by: 3_600_000)
        let answer = try await test.hello()

        #expect(answer == "{}")
      }
    }

    @Test(arguments: [
      "", "HTTP/1.1 200 OK\r\nContent-Le",
      "HTTP/1.1 200 OK\r\nContent-Type: \(ScriptedReply.messageType)\r\nContent-Length: 5\r\n\r\n{}",
      "HTTP/1.1 409 X\r\nContent-Type: \(ScriptedReply.messageType)\r\nContent-Length: 5\r\n\r\n{}",
    ])
    func `a request whose connection was cut is sent again`(bytes: String) async throws {
      let script: ScriptedServer.Script = { _, number in
        number == 1 ? .raw(bytes, then: .closed) : .message("{}")
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        let answer = try await test.hello()

        #expect(answer == "{}")
        #expect(server.requests.count == 2)
      }
    }

    @Test func `an answer that is not HTTP is an error after the last attempt`() async throws {
      try await ScriptedServer.run({ _, _ in .raw("SSH-2.0-OpenSSH\r\n") }) { server in
        let test = TestPeer(server.url) { $0.attempts = 2 }
        let error = try #require(await test.helloError())

        #expect(error.code == .unavailable)
        #expect(error.suggestion != nil)
        #expect(server.requests.count == 2)
      }
    }

    @Test func `a server that does not listen is an error after the last attempt`() async throws {
      let port = try UnusedPort()
      let url = try #require(URL(string: "http://127.0.0.1:\(port.number)"))
      let test = TestPeer(url) { $0.attempts = 3 }
      let error = try #require(await test.helloError())
      withExtendedLifetime(port) {}

      #expect(error.code == .unavailable)
      #expect(error.message.contains("\"127.0.0.1\": connection refused"))
      #expect(test.waits.count == 2)
    }

    @Test func `an answer that does not end in time is an error without another attempt`()
      async throws
    {
      let head = "HTTP/1.1 200 OK\r\nContent-Type: \(ScriptedReply.messageType)\r\n"
      let script: ScriptedServer.Script = { _, _ in .raw(head + "Content-Length: 2\r\n\r\n{") }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url) { $0.requestTimeout = .milliseconds(50) }
        let error = try #require(await test.helloError())

        #expect(error.code == .unavailable)
        #expect(error.message.contains("in time"))
        #expect(test.waits == [])
      }
    }

    @Test func `an answer without a byte for the idle timeout is requested again`() async throws {
      let script: ScriptedServer.Script = { _, number in
        number == 1 ? .raw("") : .message("{}")
      }
      try await ScriptedServer.run(script) { server in
        // On a busy machine, further answers may need longer than the timeout.
        let test = TestPeer(server.url) { options in
          options.idleTimeout = .milliseconds(50)
          options.attempts = 10_000
        }
        let answer = try await test.hello()

        #expect(answer == "{}")
      }
    }
  }
#endif
