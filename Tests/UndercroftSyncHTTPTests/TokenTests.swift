#if SyncHTTP
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncHTTP

  @Suite(.timeLimit(.hangLimit)) struct TokenTests {
    @Test func `the token is requested once for many requests`() async throws {
      try await ScriptedServer.run({ _, _ in .message("{}") }) { server in
        let test = TestPeer(server.url)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 1...8 { group.addTask { _ = try await test.hello() } }
          try await group.waitForAll()
        }

        #expect(test.requestedTokens == [.initial])
        #expect(server.requests.count == 8)
      }
    }

    @Test func `after the server has refused the token, the request is sent with another one`()
      async throws
    {
      let script: ScriptedServer.Script = { request, _ in
        request.header("Authorization") == "Bearer second-token" ? .message("{}") : .problem(401)
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url, tokens: ["first-token", "second-token"])
        let answer = try await test.hello()

        #expect(answer == "{}")
        #expect(test.requestedTokens == [.initial, .refused("first-token")])
        #expect(test.waits == [])
      }
    }

    @Test func `concurrent requests with a refused token share the next token`() async throws {
      let script: ScriptedServer.Script = { request, _ in
        request.header("Authorization") == "Bearer second-token" ? .message("{}") : .problem(401)
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url, tokens: ["first-token", "second-token", "third-token"])
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 1...8 { group.addTask { _ = try await test.hello() } }
          try await group.waitForAll()
        }

        #expect(test.requestedTokens == [.initial, .refused("first-token")])
      }
    }

    @Test func `a second refusal is an error, after which the next request asks again`()
      async throws
    {
      let script: ScriptedServer.Script = { request, _ in
        request.header("Authorization") == "Bearer third-token" ? .message("{}") : .problem(401)
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url, tokens: ["first-token", "second-token", "third-token"])
        let error = try #require(await test.helloError())
        let answer = try await test.hello()

        #expect(error.code == .accessDenied)
        #expect(error.suggestion != nil)
        #expect(answer == "{}")
        #expect(
          test.requestedTokens == [.initial, .refused("first-token"), .refused("second-token")])
      }
    }

    @Test func `a token that the server repeats in its answer is not in the error`() async throws {
      let script: ScriptedServer.Script = { request, _ in
        let token = request.header("Authorization") ?? ""
        return .problem(400, detail: "unexpected \(token)", suggestion: "remove \(token)")
      }
      try await ScriptedServer.run(script) { server in
        let error = try #require(await TestPeer(server.url).helloError())

        #expect(error.message.contains("unexpected Bearer (token)"))
        #expect(!"\(error)".contains("first-token"))
      }
    }

    @Test(arguments: ["", "two words", "line\r\nbreak", "Bearer secret", "sécret"])
    func `a malformed token is an error that does not contain it`(token: String) async throws {
      try await ScriptedServer.run({ _, _ in .message("{}") }) { server in
        let test = TestPeer(server.url, tokens: [token])
        let error = try #require(await test.helloError())

        #expect(error.code == .misuse)
        #expect(token.isEmpty || !"\(error)".contains(token))
        #expect(server.requests.isEmpty)
      }
    }

    @Test func `an error of the token closure is the cause of the error`() async throws {
      struct LoginFailed: Error { let secret = "password" }
      let url = try #require(URL(string: "http://127.0.0.1:1"))
      let peer = HTTPSyncPeer(server: url) { _ in throw LoginFailed() }
      let error = await #expect(throws: StorageError.self) {
        try await peer.send(SyncRequest(.hello, body: Data()))
      }

      #expect(error?.code == .unavailable)
      #expect(error?.underlying is LoginFailed)
      #expect(error.map { "\($0)".contains("password") } == false)
      await peer.close()
    }

    @Test func `a request that waits for a token ends when its task is cancelled`() async throws {
      let url = try #require(URL(string: "http://127.0.0.1:1"))
      let isAsked = Record<Bool>()
      let peer = HTTPSyncPeer(server: url) { _ in
        isAsked.append(true)
        // A dialog for a password remains open.
        try await Task.sleep(for: .seconds(1_000_000))
        return "token"
      }
      let task = Task { try await peer.send(SyncRequest(.hello, body: Data())) }
      let hasAsked = try await eventually { !isAsked.values.isEmpty }
      #expect(hasAsked)
      task.cancel()

      await #expect(throws: CancellationError.self) { try await task.value }
      await peer.close()
    }
  }
#endif
