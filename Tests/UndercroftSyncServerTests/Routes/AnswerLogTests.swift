#if SyncServer
  import Foundation
  import Logging
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncServer

  /// Tests of the messages that a server logs about its answers.
  @Suite(.timeLimit(.hangLimit)) struct AnswerLogTests {
    private let log = RecordedLog()

    private func pull() throws -> Data {
      try PullRequest(scope: "library", epoch: nil, replica: "north").encoded()
    }

    @Test(arguments: [
      (StorageError.Code.locked, Logger.Level.warning), (.unavailable, .warning),
      (.full, .warning), (.io, .error),
    ])
    func `an error of the store is logged once, with the request and without its token`(
      code: StorageError.Code, level: Logger.Level
    ) async throws {
      let error = StorageError(code, "cannot open the shelf", backend: "sqlite")
      try await TestServer.run(store: FailingStore(error: error), log: log) { server in
        let token = try server.token("north")

        let answer = try await server.send(HTTPRequestText("pull", token, try pull()))

        let lines = log.lines(status: answer.status)
        #expect(answer.status == (code == .io ? 500 : 503))
        #expect(lines.map(\.level) == [level])
        #expect(lines.first?.message == "failed to answer a request")
        #expect(lines.first?.metadata["error"]?.contains("cannot open the shelf") == true)
        #expect(lines.first?.metadata["endpoint"] == "pull")
        #expect(lines.first?.metadata["account"] == "north")
        #expect(lines.first?.metadata["request"] == answer.fields["request-identifier"])
        #expect(!log.lines.contains { "\($0)".contains(token) })
      }
    }

    @Test func `an answer that the store is not ready is logged once with the error of the store`()
      async throws
    {
      let error = StorageError(.io, "cannot read the shelf", backend: "sqlite")
      try await TestServer.run(store: FailingStore(error: error), log: log) { server in
        let ready = try await server.send(HTTPRequestText(get: "/health/ready"))

        let lines = log.lines.filter { "\($0)".contains("cannot read the shelf") }
        #expect(ready.status == 503)
        #expect(lines.map(\.level) == [.warning])
        #expect(lines.first?.metadata["endpoint"] == "ready")
      }
    }

    /// The limits that one request exhausts, with the reason why the next one is refused.
    private static let exhaustedLimits: [(ServerLimits, String)] = {
      var (requests, bytes) = (ServerLimits(), ServerLimits())
      requests.threads = 1
      requests.waitingRequests = 0
      bytes.pendingBodyBytes = 1
      return [
        (requests, "the server is busy: too many requests wait"),
        (bytes, "the server is busy: it holds too many bytes of bodies"),
      ]
    }()

    @Test(arguments: exhaustedLimits)
    func `a refusal because of a limit is logged with its reason`(
      limits: ServerLimits, reason: String
    ) async throws {
      let store = BlockingStore()
      try await TestServer.run(limits: limits, store: store, log: log) { server in
        defer { store.release() }
        let request = HTTPRequestText("pull", try server.token("north"), try pull())
        let waiting = Task { try await server.send(request) }
        let isBlocked = try await eventually { store.waiting == 1 }

        let refused = try await server.send(request)
        store.release()
        _ = try await waiting.value

        let lines = log.lines(status: 503)
        #expect(isBlocked)
        #expect(refused.status == 503)
        #expect(lines.map(\.level) == [.warning])
        #expect(lines.first?.metadata["error"] == reason)
      }
    }

    @Test func `a refused request is logged with its reason, without its token and values`()
      async throws
    {
      try await TestServer.run(log: log) { server in
        let (token, pull) = (try server.token("north"), try pull())
        let other = try server.token("south", [ScopeRule("archive")])
        var image = HTTPRequestText("pull", token, pull)
        image.fields = [("Content-Type", "image/png")]
        let requests = [
          HTTPRequestText("pull", "invented", pull), HTTPRequestText("pull", nil, pull), image,
          HTTPRequestText("pull", other, pull),
          HTTPRequestText("push", token, Data(#"{"protocol":1,"title":"Dune"}"#.utf8)),
        ]

        var statuses: [Int] = []
        for request in requests { statuses.append(try await server.send(request).status) }

        #expect(statuses == [401, 401, 415, 403, 400])
        let answers = log.lines.filter { $0.metadata["status"] != nil }
        let reasons = answers.compactMap { $0.metadata["error"] }
        try #require(reasons.count == 5)
        #expect(reasons[0].contains("the token is unknown"), "\(reasons)")
        #expect(reasons[1].contains("no bearer token"))
        #expect(reasons[2].contains("the content type of the request is not"))
        #expect(reasons[3].contains("may not read the scope"))
        #expect(reasons[4].contains("is missing or null"))
        #expect(answers.allSatisfy { $0.message == "answered a request" })
        for secret in [token, other, "invented", "Dune"] {
          #expect(!log.lines.contains { "\($0)".contains(secret) })
        }
      }
    }

    @Test func `an accepted request and a refused token are not logged as warnings`() async throws {
      try await TestServer.run(log: log) { server in
        let accepted = HTTPRequestText("pull", try server.token("north"), try pull())
        let refused = HTTPRequestText("pull", "invented", try pull())

        let statuses = [
          try await server.send(accepted).status, try await server.send(refused).status,
        ]

        #expect(statuses == [409, 401])
        #expect(log.lines(status: 409).map(\.level) == [.info])
        #expect(log.lines(status: 401).map(\.level) == [.info])
      }
    }
  }
#endif
