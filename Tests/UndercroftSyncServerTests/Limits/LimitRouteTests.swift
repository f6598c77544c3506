#if SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncCompression
  import UndercroftSyncServer

  @Suite(.timeLimit(.hangLimit)) struct LimitRouteTests {
    @Test func `an account that sends too many requests is answered with 429`() async throws {
      var limits = ServerLimits()
      limits.requestBurst = 2
      limits.requestsPerSecond = 0.001
      try await TestServer.run(limits: limits) { server in
        let branch = try Branch("north", on: server.sync)
        let hello = try branch.hello.encoded()
        let token = try server.token("north")
        var answers: [HTTPAnswer] = []

        for _ in 0..<3 {
          answers.append(try await server.send(HTTPRequestText("hello", token, hello)))
        }

        #expect(answers.map(\.status) == [200, 200, 429])
        // The time since the first request counts.
        let retry = try #require(answers.last?.fields["retry-after"].flatMap { Int($0) })
        #expect((1...1_000).contains(retry))
      }
    }

    @Test func `a body that is too large is answered with 413`() async throws {
      var limits = ServerLimits()
      limits.bodyBytes = 10_000
      try await TestServer.run(limits: limits) { server in
        let token = try server.token("north")
        let long = Data(repeating: UInt8(ascii: " "), count: 15_000)
        let huge = Data(repeating: UInt8(ascii: " "), count: 1_000_000)
        let bomb = try #require(Gzip.compress(huge))
        var chunked = HTTPRequestText("push", token, long)
        chunked.body = nil
        chunked.fields.append(("Transfer-Encoding", "chunked"))
        let chunk = Data("3a98\r\n".utf8) + long + Data("\r\n0\r\n\r\n".utf8)

        let answers = [
          try await server.send(HTTPRequestText("push", token, long)),
          try await server.send(HTTPRequestText("push", token, huge).head),
          try await server.send(
            HTTPRequestText("push", token, bomb, fields: [("Content-Encoding", "gzip")])),
          try await server.send(chunked.head + chunk),
        ]

        #expect(answers.map(\.status) == [413, 413, 413, 413])
        #expect(answers.map(\.code) == Array(repeating: "tooLarge", count: 4))
        #expect(answers.map { $0.fields["connection"] } == ["close", "close", nil, "close"])
      }
    }

    @Test func `a body that arrives too slowly is answered with 408`() async throws {
      var limits = ServerLimits()
      limits.bodySeconds = 0.05
      try await TestServer.run(limits: limits) { server in
        let token = try server.token("north")
        let request = HTTPRequestText("push", token, Data(repeating: 0x20, count: 100))
        let connection = try await RawConnection.open(port: server.port)

        try await connection.send(request.head + Data(" ".utf8))
        let answer = try await connection.readAnswer()
        let isClosed = try await connection.isClosed()

        #expect(answer.status == 408)
        #expect(isClosed)
      }
    }

    @Test func `a client whose short body never arrives is disconnected after the answer`()
      async throws
    {
      var limits = ServerLimits()
      limits.bodySeconds = 0.05
      // Only after this time, a connection would be closed because it is idle.
      limits.idleSeconds = 86_400
      try await TestServer.run(limits: limits) { server in
        let request = HTTPRequestText("push", nil, Data(repeating: UInt8(ascii: " "), count: 1_000))
        let connection = try await RawConnection.open(port: server.port)

        try await connection.send(request.head + Data(" ".utf8))
        let answer = try await connection.readAnswer()
        let isClosed = try await connection.isClosed()

        #expect(answer.status == 401)
        #expect(answer.fields["connection"] == nil)
        #expect(isClosed)
      }
    }

    @Test func `a short body that arrives after the answer leaves the connection open`()
      async throws
    {
      try await TestServer.run { server in
        let request = HTTPRequestText("push", nil, Data(repeating: UInt8(ascii: " "), count: 1_000))
        let connection = try await RawConnection.open(port: server.port)
        try await connection.send(request.head)
        let refused = try await connection.readAnswer()

        try await connection.send(Data(repeating: UInt8(ascii: " "), count: 1_000))
        try await connection.send(HTTPRequestText(get: "/health/live").data)
        let next = try await connection.readAnswer()

        #expect(refused.status == 401)
        #expect(next.status == 200)
      }
    }

    @Test func `a connection without a complete request is closed`() async throws {
      var limits = ServerLimits()
      limits.idleSeconds = 0.05
      try await TestServer.run(limits: limits) { server in
        let idle = try await RawConnection.open(port: server.port)
        let slow = try await RawConnection.open(port: server.port)

        try await slow.send(Data("POST /sync/v1/push HTTP/1.1\r\nHost".utf8))
        let areClosed = [try await idle.isClosed(), try await slow.isClosed()]

        #expect(areClosed == [true, true])
      }
    }

    @Test(arguments: TokenPlace.allCases)
    func `an account that has reached its limits is answered with 507`(
      place: TokenPlace
    ) async throws {
      var limits = ServerLimits()
      limits.scopesPerAccount = 1
      limits.bytesPerAccount = 2_000
      try await TestServer.run(limits: limits, tokens: place) { server in
        let token = try server.token("north")
        var branch = try Branch("north", on: server.sync)
        let other = try Branch("north", replica: "other", in: "other", on: server.sync)
        let title = String(repeating: "x", count: 800)

        var answers: [HTTPAnswer] = []
        for book: DataIdentifier in ["b1", "b2", "b3"] {
          let packet = try branch.seal(title, book).encoded()
          answers.append(try await server.send(HTTPRequestText("push", token, packet)))
        }
        let hello = try other.hello.encoded()
        answers.append(try await server.send(HTTPRequestText("hello", token, hello)))
        let pull = try branch.pull.encoded()
        answers.append(try await server.send(HTTPRequestText("pull", token, pull)))

        #expect(answers.map(\.status) == [200, 507, 507, 507, 200])
        #expect(answers[1].code == "quotaExceeded")
      }
    }

    @Test(arguments: TokenPlace.allCases)
    func `an account may use the scope of another account without being charged`(
      place: TokenPlace
    ) async throws {
      var limits = ServerLimits()
      limits.scopesPerAccount = 1
      try await TestServer.run(limits: limits, tokens: place) { server in
        let (north, south) = (try server.token("north"), try server.token("south"))
        let branch = try Branch("north", on: server.sync)
        let guest = try Branch("south", on: server.sync)
        let own = try Branch("south", replica: "own", in: "own", on: server.sync)

        var statuses: [Int] = []
        for (token, branch) in [(north, branch), (south, guest), (south, own)] {
          let hello = try branch.hello.encoded()
          statuses.append(try await server.send(HTTPRequestText("hello", token, hello)).status)
        }

        #expect(statuses == [200, 200, 200])
      }
    }

    @Test(arguments: TokenPlace.allCases)
    func `deleted rows are not charged after the next compaction`(place: TokenPlace) async throws {
      var limits = ServerLimits()
      limits.bytesPerAccount = 4_000
      var options = ServerOptions()
      options.compaction = ServerOptions.CompactionSchedule(
        retention: SyncRetention(minimum: 0), seconds: 0.02)
      try await TestServer.run(limits: limits, options: options, tokens: place) { server in
        let token = try server.token("north")
        var branch = try Branch("north", on: server.sync)
        let title = String(repeating: "x", count: 2_500)
        let first = try branch.seal(title).encoded()
        let pushed = try await server.send(HTTPRequestText("push", token, first))
        let deletion = try branch.seal(.delete).encoded()
        _ = try await server.send(HTTPRequestText("push", token, deletion))
        // A tombstone is stored until every replica has pulled it and received the results.
        var pull = branch.pull
        (pull.cursor, pull.appliedCursor) = (2, 2)
        _ = try await server.send(HTTPRequestText("pull", token, try pull.encoded()))
        var small = branch.seal("Emma", "b0")
        small.resultsThrough = 2
        _ = try await server.send(HTTPRequestText("push", token, try small.encoded()))
        let second = try branch.seal(title, "b2").encoded()

        var status = 507
        _ = try await eventually {
          status = try await server.send(HTTPRequestText("push", token, second)).status
          return status != 507
        }

        #expect(pushed.status == 200)
        #expect(status == 200)
      }
    }

    @Test func `a server whose threads are in use answers with 503`() async throws {
      var limits = ServerLimits()
      limits.threads = 1
      limits.waitingRequests = 0
      let store = BlockingStore()
      try await TestServer.run(limits: limits, store: store) { server in
        defer { store.release() }
        let token = try server.token("north")
        let pull = PullRequest(scope: "library", epoch: nil, replica: "north")
        let request = HTTPRequestText("pull", token, try pull.encoded())
        let waiting = Task { try await server.send(request) }
        let isBlocked = try await eventually { store.waiting == 1 }

        let refused = try await server.send(request)
        store.release()
        let answered = try await waiting.value

        #expect(isBlocked)
        #expect(refused.status == 503)
        #expect(refused.fields["retry-after"] == "1")
        #expect(answered.status == 409)
      }
    }
  }
#endif
