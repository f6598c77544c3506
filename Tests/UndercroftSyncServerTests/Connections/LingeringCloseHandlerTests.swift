#if SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftSync
  import UndercroftSyncServer

  @Suite(.timeLimit(.hangLimit)) struct LingeringCloseHandlerTests {
    /// A body that does not fit into the buffers of the two sockets.
    private static let body = Data(repeating: UInt8(ascii: " "), count: 24 << 20)

    /// Sends a whole request before the answer is read, and returns the answer, and whether the
    /// server closes the connection after it.
    private func answer(
      to data: Data, from server: TestServer
    ) async throws -> (HTTPAnswer, isClosed: Bool) {
      let port = server.port
      return try await onNewThread {
        let connection = try RawConnection(port: port)
        try connection.send(data)
        let answer = try connection.readAnswer()
        return (answer, try connection.isClosed())
      }
    }

    @Test(arguments: [true, false])
    func `a client that first sends a body above the limit receives 413 whole`(
      isChunked: Bool
    ) async throws {
      var limits = ServerLimits()
      limits.bodyBytes = 10_000
      try await TestServer.run(limits: limits) { server in
        var request = HTTPRequestText("push", try server.token("north"), Self.body)
        var data = request.data
        if isChunked {
          request.body = nil
          request.fields.append(("Transfer-Encoding", "chunked"))
          let size = String(Self.body.count, radix: 16)
          data = request.head + Data("\(size)\r\n".utf8) + Self.body + Data("\r\n0\r\n\r\n".utf8)
        }

        let (answer, isClosed) = try await answer(to: data, from: server)

        #expect(answer.status == 413)
        #expect(answer.code == "tooLarge")
        #expect(answer.fields["connection"] == "close")
        #expect(isClosed)
      }
    }

    @Test func `more bytes are discarded if bodies may be larger`() async throws {
      var limits = ServerLimits()
      limits.bodyBytes = 20 << 20
      try await TestServer.run(limits: limits) { server in
        let body = Data(repeating: UInt8(ascii: " "), count: 76 << 20)
        let request = HTTPRequestText("push", try server.token("north"), body)

        let (answer, isClosed) = try await answer(to: request.data, from: server)

        #expect(answer.status == 413)
        #expect(isClosed)
      }
    }

    @Test func `a client without a token that first sends a large body receives 401 whole`()
      async throws
    {
      try await TestServer.run { server in
        let request = HTTPRequestText("push", nil, Self.body)

        let (answer, isClosed) = try await answer(to: request.data, from: server)

        #expect(answer.status == 401)
        #expect(answer.code == "unauthenticated")
        #expect(isClosed)
      }
    }

    @Test func `a client with too many requests that first sends a large body receives 429 whole`()
      async throws
    {
      var limits = ServerLimits()
      limits.requestBurst = 1
      limits.requestsPerSecond = 0.001
      try await TestServer.run(limits: limits) { server in
        let request = HTTPRequestText("push", try server.token("north"), Self.body)
        var small = request
        small.body = Data("{}".utf8)
        let first = try await server.send(small)

        let (answer, isClosed) = try await answer(to: request.data, from: server)

        #expect(first.status != 429)
        #expect(answer.status == 429)
        #expect(answer.fields["retry-after"] != nil)
        #expect(isClosed)
      }
    }

    @Test func `a client of a busy server that first sends a large body receives 503 whole`()
      async throws
    {
      var limits = ServerLimits()
      limits.bodyBytes = 2 * Self.body.count
      limits.pendingBodyBytes = 1
      try await TestServer.run(limits: limits) { server in
        let request = HTTPRequestText("push", try server.token("north"), Self.body)
        var small = request
        small.body = Data("{}".utf8)
        // The body of this request reserves all bytes until the connection is closed.
        let pending = try await RawConnection.open(port: server.port)
        try await pending.send(request.head)
        let isBusy = try await eventually { try await server.send(small).status == 503 }

        let (answer, isClosed) = try await answer(to: request.data, from: server)

        #expect(isBusy)
        #expect(answer.status == 503)
        #expect(answer.code == "unavailable")
        #expect(isClosed)
        withExtendedLifetime(pending) {}
      }
    }

    @Test func `a request with a large body that its route does not read is answered`()
      async throws
    {
      try await TestServer.run { server in
        var request = HTTPRequestText(get: "/health/live")
        request.body = Self.body

        let (answer, isClosed) = try await answer(to: request.data, from: server)

        #expect(answer.status == 200)
        #expect(answer.fields["connection"] == "close")
        #expect(isClosed)
      }
    }

    @Test func `a client that never stops sending is disconnected`() async throws {
      try await TestServer.run { server in
        var request = HTTPRequestText("push", nil, Data())
        request.body = nil
        request.fields.append(("Content-Length", String(1 << 40)))
        let (head, port) = (request.head, server.port)

        let megabytes = try await onNewThread {
          let connection = try RawConnection(port: port)
          try connection.send(head)
          let part = Data(repeating: UInt8(ascii: " "), count: 1 << 20)
          var count = 0
          while count < 1_000, (try? connection.send(part)) != nil { count += 1 }
          return count
        }

        #expect(megabytes >= 24)
        #expect(megabytes < 200)
      }
    }

    @Test func `a client that leaves its connection open is disconnected after the answer`()
      async throws
    {
      var limits = ServerLimits()
      // The time begins after the answer, however slowly the server writes it.
      limits.bodySeconds = 0.000_001
      try await TestServer.run(limits: limits) { server in
        let request = HTTPRequestText("push", nil, Self.body)
        let connection = try await RawConnection.open(port: server.port)
        try await connection.send(request.head)
        let answer = try await connection.readAnswer()

        let isEnded = try await connection.isClosed()
        // While only the output of the server is closed, the bytes are accepted.
        let isDisconnected = try await eventually {
          (try? await connection.send(Data(" ".utf8))) == nil
        }

        #expect(answer.status == 401)
        #expect(isEnded)
        #expect(isDisconnected)
      }
    }
  }
#endif
