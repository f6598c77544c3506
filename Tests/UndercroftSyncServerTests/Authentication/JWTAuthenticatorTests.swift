#if SyncServer
  import Foundation
  import JWTKit
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncServer

  @Suite struct JWTAuthenticatorTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func authenticator(
      algorithms: [JWTAlgorithmName] = [.hs256], rules: [ScopeRule] = []
    ) async throws -> JWTAuthenticator {
      try await JWTAuthenticator(
        key: .secret(WebToken.secret), algorithms: algorithms, audience: "library", issuer: "login",
        rules: rules, now: { Self.now })
    }

    /// Returns a token that is valid except for the given claims.
    private func token(_ changes: [String: String?] = [:]) -> WebToken {
      var token = WebToken(account: "ann")
      token.claims["exp"] = "1700000600"
      token.claims["scopes"] = #"["user:ann"]"#
      token.claims["read_scopes"] = #"["news:*"]"#
      for (name, value) in changes { token.claims[name] = value }
      return token
    }

    @Test func `a valid token is accepted with the scopes of its claims`() async throws {
      let account = try await authenticator().authenticate(try await token().signed())

      #expect(account.name == "ann")
      #expect(account.access(to: "user:ann") == .readWrite)
      #expect(account.access(to: "news:today") == .read)
      #expect(account.access(to: "user:bob") == .none)
    }

    @Test func `a configured rule names the account of the token`() async throws {
      let authenticator = try await authenticator(rules: [ScopeRule("home:{account}")])
      let wildcard = try await token(["sub": #""*""#]).signed()

      let account = try await authenticator.authenticate(try await token().signed())
      let other = try await authenticator.authenticate(wildcard)

      #expect(account.access(to: "home:ann") == .readWrite)
      #expect(account.access(to: "home:bob") == .none)
      #expect(other.access(to: "home:ann") == .none)
    }

    @Test(
      arguments: [
        ["exp": "1699999900"], ["exp": nil], ["aud": #""other""#], ["aud": "[]"], ["aud": nil],
        ["iss": #""stranger""#], ["iss": nil], ["sub": nil], ["sub": #""""#], ["nbf": "1700000600"],
        ["exp": #""soon""#], ["scopes": #""*""#], ["exp": "1e999"],
      ] as [[String: String?]])
    func `a token with a missing or wrong claim is refused`(
      changes: [String: String?]
    ) async throws {
      let authenticator = try await authenticator()
      let token = try await token(changes).signed()

      await #expect(throws: TokenRefusal.self) { try await authenticator.authenticate(token) }
    }

    @Test(arguments: [
      #"{"alg":"none"}"#, #"{"alg":"None","typ":"JWT"}"#, #"{"alg":"RS256"}"#, #"{"alg":"HS512"}"#,
      #"{"typ":"JWT"}"#, "[]", "", #"{"alg":"HS256","crit":["exp"]}"#,
    ])
    func `a token whose header names no configured algorithm is refused`(
      header: String
    ) async throws {
      let authenticator = try await authenticator()
      var token = token()
      token.header = header
      let tokens = [try await token.signed(), token.withoutSignature]

      for token in tokens {
        await #expect(throws: TokenRefusal.self) { try await authenticator.authenticate(token) }
      }
    }

    @Test func `a token with another signature is refused`() async throws {
      let authenticator = try await authenticator()
      var token = token()
      token.secret = Data(repeating: 8, count: 32)
      let signed = try await token.signed()

      await #expect(throws: TokenRefusal.self) { try await authenticator.authenticate(signed) }
    }

    @Test func `a key that does not match the algorithms is refused`() async throws {
      let faulty: [(JWTVerificationKey, [JWTAlgorithmName])] = [
        (.secret(WebToken.secret), []), (.secret(WebToken.secret), [.rs256]),
        (.secret(Data(repeating: 7, count: 31)), [.hs256]), (.pem("x"), [.es256]),
        (.pem("x"), [.hs256]), (.keySet(json: "{}"), [.es256]),
        (.secret(WebToken.secret), [.hs256, .hs512]),
      ]
      for (key, algorithms) in faulty {
        let error = await #expect(throws: StorageError.self) {
          _ = try await JWTAuthenticator(key: key, algorithms: algorithms, audience: "library")
        }
        #expect(error?.code == .misuse)
      }
    }

    @Test func `a public key of an elliptic curve verifies tokens`() async throws {
      let privateKey = ES256PrivateKey()
      let keys = JWTKeyCollection()
      await keys.add(ecdsa: privateKey)
      let authenticator = try await JWTAuthenticator(
        key: .pem(privateKey.publicKey.pemRepresentation), algorithms: [.es256],
        audience: "library", issuer: nil, rules: [], now: { Self.now })
      let claims = ["sub": #""ann""#, "exp": "1700000600", "aud": #""library""#]
      let token = try WebToken(header: #"{"alg":"ES256"}"#, claims: claims)
        .signed(with: try await keys.getKey())

      let account = try await authenticator.authenticate(token)

      #expect(account.name == "ann")
    }

    @Test func `the first reason of several authenticators is reported`() async throws {
      let list = AuthenticatorList([try await authenticator(), try await authenticator()])
      let token = try await token(["exp": "1"]).signed()

      await #expect(throws: TokenRefusal("the token has expired")) {
        try await list.authenticate(token)
      }
      await #expect(throws: TokenRefusal.unknown) { try await list.authenticate("ucs_x") }
    }
  }
#endif
