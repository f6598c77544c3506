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

    // MARK: Refused tokens

    /// Expects that every endpoint refuses each token, for the scopes of two accounts, and that
    /// nothing changes in these scopes.
    private func expectRefusal(of tokens: [String?], by server: TestServer) async throws {
      for account in ["ann", "bob"] {
        var branch = try Branch(account, in: ScopeIdentifier("user:\(account)"), on: server.sync)
        _ = try server.sync.push(branch.seal("private"), account: account)
        for token in tokens {
          for (endpoint, request) in try requests(&branch, token) {
            let answer = try await server.send(request)

            #expect(answer.status == 401, "\(endpoint) \(token ?? "-")")
            #expect(answer.code == "unauthenticated")
            #expect(answer.fields["www-authenticate"] == "Bearer")
            #expect(!answer.text.contains("private"))
            if let token, token.count > 4 { #expect(!answer.text.contains(token)) }
          }
        }
        let head = try server.sync.head(of: branch.scope)
        #expect(head == 1)
      }
    }

    @Test func `no endpoint accepts a missing, malformed, expired or revoked token`() async throws {
      try await TestServer.run { server in
        let expired = try server.token("ann", expiration: Date(timeIntervalSince1970: 1))
        let revoked = try server.tokens.create(account: "ann", rules: [ScopeRule("*")])
        try server.tokens.revoke(revoked.token.identifier)
        let tokens: [String?] = [
          nil, expired, revoked.secret, String(revoked.secret.dropLast()), "ucs_",
          WebToken(account: "ann").unsigned, "..", String(repeating: "x", count: 20_000),
        ]

        try await expectRefusal(of: tokens, by: server)
      }
    }

    /// An authenticator that grants each account the scope with its name.
    private func authenticator() async throws -> JWTAuthenticator {
      try await JWTAuthenticator(
        key: .secret(WebToken.secret), algorithms: [.hs256], audience: "library", issuer: "login",
        rules: [ScopeRule("user:{account}")])
    }

    @Test func `no endpoint accepts an unsigned, forged or expired JSON Web Token`() async throws {
      try await TestServer.run(authenticator: try await authenticator()) { server in
        let valid = WebToken(account: "ann")
        var (expired, forged, misdirected, early) = (valid, valid, valid, valid)
        expired.claims["exp"] = "1"
        forged.secret = Data(repeating: 8, count: 32)
        misdirected.claims["aud"] = #""other""#
        early.claims["nbf"] = "9999999990"
        // The claims of one account with the signature of the other.
        let signature = try await WebToken(account: "bob").signed().split(separator: ".")[2]
        let tokens = [
          valid.unsigned, valid.withoutSignature, valid.withoutSignature + signature,
          try await expired.signed(), try await forged.signed(), try await misdirected.signed(),
          try await early.signed(),
        ]

        try await expectRefusal(of: tokens, by: server)
      }
    }

    @Test func `a JSON Web Token does not reach the scope of another account`() async throws {
      try await TestServer.run(authenticator: try await authenticator()) { server in
        for (account, other) in [("ann", "bob"), ("bob", "ann")] {
          let token = try await WebToken(account: account).signed()
          var own = try Branch(
            account, in: ScopeIdentifier("user:\(account)"), on: server.sync)
          let pushed = try await server.send(
            HTTPRequestText("push", token, try own.seal("private").encoded()))
          #expect(pushed.status == 200)

          var foreign = try Branch(
            account, replica: "thief", in: ScopeIdentifier("user:\(other)"), on: server.sync)
          for (endpoint, request) in try requests(&foreign, token) where endpoint != "hello" {
            let answer = try await server.send(request)
            #expect(answer.status == 403, "\(endpoint)")
          }
        }
        let heads = [try server.sync.head(of: "user:ann"), try server.sync.head(of: "user:bob")]
        #expect(heads == [1, 1])
      }
    }
  }
#endif
