#if SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncServer

  /// Tests that no request with one token reaches the scopes of another account.
  @Suite(.timeLimit(.hangLimit)) struct BorderTests {
    /// Requests of every endpoint for a scope.
    private func requests(
      _ branch: inout Branch, _ token: String?
    ) throws -> [(String, HTTPRequestText)] {
      let scope = branch.scope.text
      let wait = #"{"protocol":1,"scopes":{"\#(scope)":9},"milliseconds":1}"#
      let digest = DigestRequest(scope: branch.scope, version: 0)
      return [
        ("hello", HTTPRequestText("hello", token, try branch.hello.encoded())),
        ("push", HTTPRequestText("push", token, try branch.seal("stolen", "b9").encoded())),
        ("pull", HTTPRequestText("pull", token, try branch.pull.encoded())),
        ("digest", HTTPRequestText("digest", token, try digest.encoded())),
        ("wait", HTTPRequestText("wait", token, Data(wait.utf8))),
        ("events", HTTPRequestText(get: "/sync/v1/events?scope=\(scope)", token)),
      ]
    }

    @Test func `every endpoint refuses the scopes of another account`() async throws {
      try await TestServer.run { server in
        let ann = try server.token("ann", [ScopeRule("user:ann")])
        let bob = try server.token("bob", [ScopeRule("user:bob")])
        var own = try Branch("ann", in: "user:ann", on: server.sync)
        let pushed = try await server.send(
          HTTPRequestText("push", ann, try own.seal("private").encoded()))
        #expect(pushed.status == 200)

        var thief = try Branch("bob", in: "user:ann", on: server.sync)
        for (endpoint, request) in try requests(&thief, bob) {
          let answer = try await server.send(request)

          if endpoint == "hello" {
            // The answer does not say whether the scope exists.
            let hello = try HelloAnswer(decoding: answer.body)
            #expect(answer.status == 200)
            #expect(hello.scopes.isEmpty)
          } else {
            #expect(answer.status == 403, "\(endpoint)")
            #expect(answer.code == "accessDenied")
          }
          #expect(!answer.text.contains("private"))
        }
        let head = try server.sync.head(of: "user:ann")
        #expect(head == 1)
      }
    }

    @Test func `a request cannot name another account than that of its token`() async throws {
      try await TestServer.run { server in
        let bob = try server.token("bob")
        var ann = try Branch("ann", on: server.sync)
        _ = try server.sync.push(ann.seal("Dune"), account: "ann")

        let hello = try await server.send(HTTPRequestText("hello", bob, try ann.hello.encoded()))
        let push = try await server.send(
          HTTPRequestText("push", bob, try ann.seal("Emma", "b2").encoded()))
        let pull = try await server.send(HTTPRequestText("pull", bob, try ann.pull.encoded()))

        #expect([hello.status, push.status, pull.status] as [Int] == [403, 403, 403])
        let head = try server.sync.head(of: ann.scope)
        #expect(head == 1)
      }
    }

    @Test func `a token for reading cannot push`() async throws {
      try await TestServer.run { server in
        let reader = try server.token("bob", [ScopeRule("library", .read)])
        var branch = try Branch("bob", on: server.sync)

        let push = try await server.send(
          HTTPRequestText("push", reader, try branch.seal("Dune").encoded()))
        let pull = try await server.send(HTTPRequestText("pull", reader, try branch.pull.encoded()))
        let hello = try await server.send(
          HTTPRequestText("hello", reader, try branch.hello.encoded()))

        #expect([push.status, pull.status] as [Int] == [403, 200])
        let answer = try HelloAnswer(decoding: hello.body)
        #expect(answer.scopes.first?.canWrite == false)
      }
    }

    @Test func `the access of the server limits the access of a token`() async throws {
      let access: @Sendable (String, ScopeIdentifier) -> ScopeAccess = { account, _ in
        account == "ann" ? .readWrite : .none
      }
      try await TestServer.run(access: access) { server in
        let bob = try server.token("bob")
        var branch = try Branch("ann", on: server.sync)
        branch.account = "bob"

        for (endpoint, request) in try requests(&branch, bob) where endpoint != "hello" {
          let answer = try await server.send(request)
          #expect(answer.status == 403, "\(endpoint)")
        }
      }
    }

    @Test func `no endpoint accepts a missing, malformed, expired or revoked token`() async throws {
      try await TestServer.run { server in
        var branch = try Branch("ann", on: server.sync)
        let expired = try server.token("ann", expiration: Date(timeIntervalSince1970: 1))
        let revoked = try server.tokens.create(account: "ann", rules: [ScopeRule("*")])
        try server.tokens.revoke(revoked.token.identifier)
        let unsigned = ["{\"alg\":\"none\"}", "{\"sub\":\"ann\",\"exp\":9999999999}", ""]
          .map { Data($0.utf8).base64EncodedString() }.joined(separator: ".")
        let tokens: [String?] = [
          nil, expired, revoked.secret, String(revoked.secret.dropLast()), "ucs_", unsigned, "..",
          String(repeating: "x", count: 20_000),
        ]

        for token in tokens {
          for (endpoint, request) in try requests(&branch, token) {
            let answer = try await server.send(request)

            #expect(answer.status == 401, "\(endpoint) \(token ?? "-")")
            #expect(answer.code == "unauthenticated")
            #expect(answer.fields["www-authenticate"] == "Bearer")
            if let token, token.count > 4 { #expect(!answer.text.contains(token)) }
          }
        }
        let head = try server.sync.head(of: branch.scope)
        #expect(head == 0)
      }
    }
  }
#endif
