#if SyncHTTP
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncHTTP

  @Suite(.timeLimit(.hangLimit)) struct LimitTests {
    @Test func `an answer without end is an error that closes the connection`() async throws {
      let part = [UInt8](repeating: 0x20, count: 1 << 20)
      let script: ScriptedServer.Script = { _, _ in
        .raw(
          "HTTP/1.1 200 OK\r\nContent-Type: \(ScriptedReply.messageType)\r\n\r\n",
          then: .endless(part))
      }
      try await ScriptedServer.run(script) { server in
        let error = try #require(await TestPeer(server.url).helloError())
        let isDisconnected = try await server.waitUntilDisconnected()

        #expect(error.code == .unavailable)
        #expect(error.message.contains("larger than every message"))
        #expect(server.requests.count == 1)
        #expect(isDisconnected)
      }
    }

    @Test func `an error with a body without end has the code of its status`() async throws {
      let part = [UInt8](repeating: 0x20, count: 1 << 16)
      let script: ScriptedServer.Script = { _, _ in
        .raw("HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\n\r\n", then: .endless(part))
      }
      try await ScriptedServer.run(script) { server in
        let error = try #require(await TestPeer(server.url).helloError())

        #expect(error.code == .accessDenied)
      }
    }

    @Test func `an error whose body was cut has the code of its status`() async throws {
      let script: ScriptedServer.Script = { _, _ in
        .raw("HTTP/1.1 413 Content Too Large\r\nContent-Length: 100\r\n\r\n{", then: .closed)
      }
      try await ScriptedServer.run(script) { server in
        let error = try #require(await TestPeer(server.url).helloError())

        #expect(error.code == .tooLarge)
        #expect(server.requests.count == 1)
      }
    }

    @Test(arguments: ["x\r\nX-Filler: ", "x"])
    func `a head without end is an error that closes the connection`(part: String) async throws {
      let script: ScriptedServer.Script = { _, _ in
        .raw(
          "HTTP/1.1 200 OK\r\nX-Filler: ",
          then: .endless(Array(String(repeating: part, count: 1_000).utf8)))
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url) { $0.attempts = 1 }
        let error = try #require(await test.helloError())
        let isDisconnected = try await server.waitUntilDisconnected()

        #expect(error.code == .unavailable)
        #expect(isDisconnected)
      }
    }

    @Test func `durations near the maximum of a clock are no limits`() async throws {
      let script: ScriptedServer.Script = { request, number in
        if request.method == "GET" { return .events(ScriptedReply.poke("A", 1), then: .closed) }
        return number == 1 ? .problem(503) : .message("{}")
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url) { options in
          let longest = Duration.seconds(Int64.max)
          (options.shortestBackOff, options.longestBackOff) = (longest, longest)
          (options.connectTimeout, options.idleTimeout) = (longest, longest)
          (options.requestTimeout, options.streamPatience) = (longest, longest)
          options.pollDuration = longest
        }
        let answer = try await test.hello()
        let pokes = await test.peer.pokes(for: ["A"]).reduce(into: []) { $0.append($1) }

        #expect(answer == "{}")
        #expect(pokes == [SyncPoke(scope: "A", head: 1)])
      }
    }

    @Test func `the largest message is accepted`() async throws {
      let body = [UInt8](repeating: 0x20, count: 16 << 20)
      let script: ScriptedServer.Script = { _, _ in .response(200, ScriptedReply.messageType, body)
      }
      try await ScriptedServer.run(script) { server in
        let answer = try await TestPeer(server.url).hello()

        #expect(answer.utf8.count == 16 << 20)
      }
    }
  }
#endif
