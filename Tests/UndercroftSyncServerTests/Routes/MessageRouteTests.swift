#if SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncCompression
  import UndercroftSyncServer

  @Suite(.timeLimit(.hangLimit)) struct MessageRouteTests {
    @Test func `each kind of request is answered with the status 200`() async throws {
      try await TestServer.run { server in
        let token = try server.token("north")
        var branch = try Branch("north", on: server.sync)
        let messages = [
          ("hello", try branch.hello.encoded()), ("push", try branch.seal("Dune").encoded()),
          ("pull", try branch.pull.encoded()),
          ("digest", try DigestRequest(scope: branch.scope, version: 1).encoded()),
        ]

        for (endpoint, body) in messages {
          let answer = try await server.send(HTTPRequestText(endpoint, token, body))

          #expect(answer.status == 200, "\(endpoint)")
          #expect(answer.fields["content-type"] == HTTPRequestText.mediaType)
          #expect(answer.fields["request-identifier"].flatMap { UUID(uuidString: $0) } != nil)
        }
        let head = try server.sync.head(of: branch.scope)
        #expect(head == 1)
      }
    }

    @Test func `a packet that waits is answered with 202, and a refusal with 409`() async throws {
      try await TestServer.run { server in
        let token = try server.token("north")
        var branch = try Branch("north", on: server.sync)
        _ = branch.seal("Dune")
        let later = branch.seal("Emma", "b2")
        var foreign = later
        foreign.epoch = "other"

        let held = try await server.send(HTTPRequestText("push", token, try later.encoded()))
        let refused = try await server.send(HTTPRequestText("push", token, try foreign.encoded()))

        #expect(held.status == 202)
        let answer = try PushAnswer(decoding: held.body)
        #expect(answer == .held(expectedSequence: 1, expectedDependency: nil))
        #expect(refused.status == 409)
        let refusal = try PushAnswer(decoding: refused.body)
        #expect(refusal == .refused(.epoch(branch.epoch)))
      }
    }

    @Test func `an application that is too old is answered with 426`() async throws {
      let schema = SchemaWindow(minimumPull: 3, minimumPush: 3, current: 4)
      try await TestServer.run(schema: schema) { server in
        let token = try server.token("north")
        var branch = try Branch("north", on: server.sync)
        let packet = try branch.seal("Dune", schema: 2).encoded()

        let answer = try await server.send(HTTPRequestText("push", token, packet))

        #expect(answer.status == 426)
        let refusal = try PushAnswer(decoding: answer.body)
        #expect(refusal == .refused(.upgradeRequired(minimumPush: 3)))
      }
    }

    @Test func `the reason of a rejection reaches the author`() async throws {
      let reject: @Sendable (ProposedChange) -> OperationRejection? = { _ in
        OperationRejection(code: "title_taken", message: "Another book has this title.")
      }
      try await TestServer.run(validate: reject) { server in
        let token = try server.token("north")
        var branch = try Branch("north", on: server.sync)
        let packet = try branch.seal("Dune").encoded()

        let answer = try await server.send(HTTPRequestText("push", token, packet))

        guard case .results(let results) = try PushAnswer(decoding: answer.body) else {
          Issue.record("expected results")
          return
        }
        #expect(results.results.first?.rejection?.code == "title_taken")
      }
    }

    @Test func `a request in the gzip format is read, and a long answer is compressed`()
      async throws
    {
      try await TestServer.run { server in
        let token = try server.token("north")
        var branch = try Branch("north", on: server.sync)
        let title = String(repeating: "Dune ", count: 1_000)
        let packet = try #require(Gzip.compress(try branch.seal(title).encoded()))
        let pushed = try await server.send(
          HTTPRequestText("push", token, packet, fields: [("Content-Encoding", "gzip")]))
        #expect(pushed.status == 200)

        let pulled = try await server.send(
          HTTPRequestText(
            "pull", token, try branch.pull.encoded(), fields: [("Accept-Encoding", "gzip")]))
        let plain = try await server.send(HTTPRequestText("pull", token, try branch.pull.encoded()))

        #expect(pulled.fields["content-encoding"] == "gzip")
        #expect(pulled.body.count < 1_000)
        let page = try PullAnswer(
          decoding: try Gzip.decompress(pulled.body, limit: SyncLimits.messageBytes))
        let plainPage = try PullAnswer(decoding: plain.body)
        guard case .page(let rows) = page, case .page(let plainRows) = plainPage else {
          Issue.record("expected pages")
          return
        }
        #expect(rows.rows == plainRows.rows)
        #expect(plain.fields["content-encoding"] == nil)
      }
    }

    @Test func `each faulty request is answered with its status and code`() async throws {
      try await TestServer.run { server in
        let token = try server.token("north")
        let branch = try Branch("north", on: server.sync)
        let hello = try branch.hello.encoded()
        var otherType = HTTPRequestText("hello", token, hello)
        otherType.fields = [("Content-Type", "application/json")]
        var get = HTTPRequestText("hello", token, hello)
        get.method = "GET"
        let cases: [(HTTPRequestText, Int, String)] = [
          (HTTPRequestText("hello", token, Data("{".utf8)), 400, "decodingFailed"),
          (HTTPRequestText("hello", token, Data(#"{"protocol":9}"#.utf8)), 426, "notSupported"),
          (HTTPRequestText("hello", nil, hello), 401, "unauthenticated"),
          (HTTPRequestText("hello", "ucs_unknown", hello), 401, "unauthenticated"),
          (HTTPRequestText("other", token, hello), 404, "notFound"),
          (get, 405, "methodNotAllowed"),
          (otherType, 415, "unsupportedMediaType"),
          (
            HTTPRequestText("hello", token, hello, fields: [("Content-Encoding", "br")]), 415,
            "unsupportedEncoding"
          ),
          (
            HTTPRequestText("hello", token, hello, fields: [("Content-Encoding", "gzip")]), 400,
            "decodingFailed"
          ),
        ]

        for (request, status, code) in cases {
          let answer = try await server.send(request)

          #expect(answer.status == status, "\(code)")
          #expect(answer.code == code)
          #expect((answer.fields["www-authenticate"] != nil) == (status == 401))
          #expect(answer.fields["allow"] == (status == 405 ? "POST" : nil))
        }
      }
    }

    @Test func `a connection answers further requests after a refused one`() async throws {
      try await TestServer.run { server in
        let token = try server.token("north")
        let branch = try Branch("north", on: server.sync)
        let hello = try branch.hello.encoded()
        let requests =
          HTTPRequestText("hello", "wrong", hello).data
          + HTTPRequestText("hello", token, hello).data
        let connection = try await RawConnection.open(port: server.port)
        try await connection.send(requests)

        let statuses = [
          try await connection.readAnswer().status, try await connection.readAnswer().status,
        ]

        #expect(statuses == [401, 200])
      }
    }

    @Test func `an error of the store is answered without its text`() async throws {
      let errors: [(StorageError, Int)] = [
        (StorageError(.io, "cannot read \"/secret\"", backend: "sqlite"), 500),
        (StorageError(.accessDenied, "cannot open \"/secret\"", backend: "sqlite"), 500),
        (StorageError(.locked, "cannot lock \"/secret\"", backend: "sqlite"), 503),
      ]
      for (error, status) in errors {
        try await TestServer.run(store: FailingStore(error: error)) { server in
          let token = try server.token("north")
          let pull = PullRequest(scope: "library", epoch: nil, replica: "north")

          let answer = try await server.send(HTTPRequestText("pull", token, try pull.encoded()))

          #expect(answer.status == status)
          #expect(!answer.text.contains("secret"))
          #expect((answer.fields["retry-after"] != nil) == (status == 503))
        }
      }
    }
  }
#endif
