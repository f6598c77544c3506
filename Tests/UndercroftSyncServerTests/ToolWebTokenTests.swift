#if SyncServer && SyncHTTP
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftSQLite
  import UndercroftSync
  import UndercroftSyncServer

  /// Tests that run the built tool `undercroft-sync-server` with keys of JSON Web Tokens.
  @Suite(.enabled(if: OpenSSL.isInstalled), .timeLimit(.hangLimit)) struct ToolWebTokenTests {
    private let tool: ServerTool
    private let openSSL: OpenSSL

    init() throws {
      tool = try ServerTool()
      openSSL = try OpenSSL(in: tool.directory)
    }

    /// Writes the key and the settings of an identity provider, and returns the options.
    private func options(_ provider: IdentityProvider) throws -> [String] {
      try tool.directory.write(provider.keyFile, to: "key")
      try tool.directory.write(
        """
        {"jwt": {
          "keyFile": "\(tool.directory.file("key"))", "algorithms": ["\(provider.algorithm.rawValue)"],
          "audience": "library", "issuer": "login", "scopes": ["library", "user:{account}"]
        }}
        """, to: "config.json")
      return ["--config", tool.directory.file("config.json")]
    }

    /// Sends the first request of an account with a token, and returns the answer.
    private func hello(
      _ server: ServerProcess, _ token: String, _ account: String = "ann",
      scopes: [ScopeIdentifier] = ["library"]
    ) async throws -> HTTPAnswer {
      let request = HelloRequest(replica: "r1", account: account, scopes: scopes, startTime: 1)
      return try await server.send(HTTPRequestText("hello", token, request.encoded()))
    }

    /// Returns those of the scopes to which a token of the account "ann" grants access, and whether
    /// it also grants the right to change them.
    private func grants(
      _ server: ServerProcess, _ token: String, _ scopes: ScopeIdentifier...
    ) async throws -> [ScopeIdentifier: Bool] {
      let answer = try await hello(server, token, scopes: scopes)
      let states = try HelloAnswer(decoding: answer.body).scopes
      return Dictionary(uniqueKeysWithValues: states.map { ($0.scope, $0.canWrite) })
    }

    @Test(arguments: IdentityProvider.KeyForm.allCases)
    func `tokens with a signature of the configured key are accepted, and others receive 401`(
      form: IdentityProvider.KeyForm
    ) async throws {
      let provider = try await IdentityProvider(form, openSSL)
      let stranger = try await IdentityProvider(form, openSSL)
      let server = try await tool.serve(options(provider))
      let now = Int(Date().timeIntervalSince1970)
      let valid = try provider.token()
      let branch = try tool.branch()
      try branch.execute("INSERT INTO book VALUES ('b1', 'Dune')")

      try await server.synchronise(branch, valid, account: "ann")

      let accepted = try await hello(server, valid)
      #expect(accepted.status == 200)
      let refused = [
        "expired": try provider.token(["exp": "\(now - 3_600)"]),
        "without expiration": try provider.token(["exp": nil]),
        "not valid yet": try provider.token(["nbf": "\(now + 3_600)"]),
        "of another audience": try provider.token(["aud": #""museum""#]),
        "without audience": try provider.token(["aud": nil]),
        "of another issuer": try provider.token(["iss": #""stranger""#]),
        "without account": try provider.token(["sub": nil]),
        "with another key": try stranger.token(),
        "unsigned": try await provider.token(stating: "none", secret: nil),
        "unsigned with the configured algorithm": try await provider.token(
          stating: provider.algorithm.rawValue, secret: nil),
        // The key of the server is public, unless it is a secret.
        "with HMAC and the key of the server": try await provider.token(
          stating: form == .secret ? "HS512" : "HS256", secret: provider.keyFile),
        "with another algorithm": try await provider.token(
          stating: form == .rsa ? "ES256" : "RS256", secret: provider.keyFile),
        "cut": String(valid.dropLast()), "empty": "", "no token": "a.b.c",
      ]
      for (reason, token) in refused {
        let answer = try await hello(server, token)
        #expect(answer.status == 401, "\(reason)")
        #expect(answer.code == "unauthenticated", "\(reason)")
      }
      #expect(!server.errors.contains(valid))
      #expect(server.isRunning)
    }

    @Test func `a web token grants the configured scopes, and the stored tokens remain valid`()
      async throws
    {
      let provider = try await IdentityProvider(.ellipticCurve, openSSL)
      let server = try await tool.serve(options(provider))
      let token = try provider.token()

      let grants = try await grants(server, token, "library", "user:ann", "user:bob")
      let other = try await hello(server, token, "bob")
      let owner = try await hello(server, try #require(server.token), "owner")

      #expect(grants == ["library": true, "user:ann": true])
      #expect(other.status == 403)
      #expect(owner.status == 200)
    }

    @Test func `variables of the environment state the key and its algorithm`() async throws {
      let provider = try await IdentityProvider(.secret, openSSL)
      try tool.directory.write(provider.keyFile, to: "key")
      let server = try await tool.serve(
        environment: [
          "UNDERCROFT_SYNC_JWT_KEY_FILE": tool.directory.file("key"),
          "UNDERCROFT_SYNC_JWT_ALGORITHMS": "HS256", "UNDERCROFT_SYNC_JWT_AUDIENCE": "library",
          "UNDERCROFT_SYNC_JWT_SCOPES": "museum,user:{account}",
          "UNDERCROFT_SYNC_JWT_READ_SCOPES": "news:*",
        ])

      let grants = try await grants(
        server, try provider.token(), "museum", "user:ann", "news:today", "library")

      #expect(grants == ["museum": true, "user:ann": true, "news:today": false])
    }

    @Test(arguments: [
      ("missing", "HS256", "library", "cannot read the key of JSON Web Tokens"),
      ("short", "HS256", "library", "the minimum is 32 bytes"),
      ("secret", "none", "library", "the algorithm \"none\" is not supported"),
      ("secret", "HS256,HS512", "library", "a secret needs exactly one of"),
      ("secret", "HS256", "", "the audience is empty"),
      ("secret", "RS256", "library", "not a public key in the PEM format for RS256"),
      ("public", "HS256,ES256", "library", "exactly one algorithm"),
      ("set", "ES256", "library", "the JSON Web Key Set cannot be read"),
    ])
    func `an unusable key ends the start with an error`(
      key: String, algorithms: String, audience: String, reason: String
    ) async throws {
      let provider = try await IdentityProvider(.ellipticCurve, openSSL)
      try tool.directory.write(provider.keyFile, to: "public")
      try tool.directory.write("{\"keys\":1}", to: "set")
      try tool.directory.write("short", to: "short")
      try tool.directory.write(String(repeating: "s", count: 32), to: "secret")

      let result = try await tool.run(
        ["--port", "0"],
        environment: [
          "UNDERCROFT_SYNC_JWT_KEY_FILE": tool.directory.file(key),
          "UNDERCROFT_SYNC_JWT_ALGORITHMS": algorithms,
          "UNDERCROFT_SYNC_JWT_AUDIENCE": audience,
        ])

      #expect(result.status == 1)
      #expect(result.errors.contains(reason), "\(result.errors)")
    }
  }
#endif
