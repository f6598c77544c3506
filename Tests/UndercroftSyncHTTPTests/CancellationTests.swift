#if SyncHTTP
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncHTTP

  @Suite(.timeLimit(.hangLimit)) struct CancellationTests {
    private static let head =
      "HTTP/1.1 200 OK\r\nContent-Type: \(ScriptedReply.messageType)\r\nContent-Length: 9\r\n\r\n{"

    @Test(arguments: ["", head])
    func `a cancelled request ends immediately, and closes its connection`(bytes: String)
      async throws
    {
      try await ScriptedServer.run({ _, _ in .raw(bytes) }) { server in
        let test = TestPeer(server.url)
        let task = Task { try await test.hello() }
        let hasArrived = try await server.waitForRequests(1)
        task.cancel()
        let result = await task.result
        let isDisconnected = try await server.waitUntilDisconnected()

        #expect(hasArrived)
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(isDisconnected)
        #expect(server.requests.count == 1)
      }
    }

    @Test func `a request that waits for its next attempt ends when its task is cancelled`()
      async throws
    {
      try await ScriptedServer.run({ _, _ in .problem(503) }) { server in
        let peer = HTTPSyncPeer(server: server.url, options: Self.patientOptions) { _ in "token" }
        let task = Task { try await peer.send(SyncRequest(.hello, body: Data())) }
        let hasArrived = try await server.waitForRequests(1)
        task.cancel()
        let result = await task.result
        await peer.close()

        #expect(hasArrived)
        #expect(throws: CancellationError.self) { try result.get() }
      }
    }

    private static var patientOptions: HTTPSyncOptions {
      var options = HTTPSyncOptions()
      options.shortestBackOff = .seconds(1_000_000)
      options.longestBackOff = .seconds(1_000_000)
      return options
    }

    @Test func `closing the peer ends its requests with an error`() async throws {
      try await ScriptedServer.run({ _, _ in .raw("") }) { server in
        let test = TestPeer(server.url)
        let task = Task { await test.helloError() }
        let hasArrived = try await server.waitForRequests(1)
        await test.peer.close()
        let error = await task.value

        #expect(hasArrived)
        #expect(error?.code == .misuse)
        #expect(error?.message.contains("closed") == true)
      }
    }

    @Test func `a closed peer refuses requests, and closing it again does nothing`() async throws {
      try await ScriptedServer.run({ _, _ in .message("{}") }) { server in
        let test = TestPeer(server.url)
        await test.peer.close()
        await test.peer.close()
        let error = try #require(await test.helloError())

        #expect(error.code == .misuse)
        #expect(server.requests.isEmpty)
      }
    }

    @Test func `a peer that is not used any more closes its connections`() async throws {
      try await ScriptedServer.run({ _, _ in .message("{}") }) { server in
        _ = try await TestPeer(server.url).hello()
        let isDisconnected = try await server.waitUntilDisconnected()

        #expect(isDisconnected)
      }
    }
  }
#endif
