#if SyncServer
  import Foundation
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncServer

  @Suite struct TokenStoreTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var file: URL { directory.url.appending(path: "accounts.sqlite") }

    private func open() throws -> TokenStore {
      try TokenStore(at: file, now: { Date(timeIntervalSince1970: 1_700_000_000) })
    }

    @Test func `a token is accepted with its account and its rules`() async throws {
      let store = try open()
      let rules = [ScopeRule("user:7"), ScopeRule("news:*", .read)]
      let (token, secret) = try store.create(account: "librarian", rules: rules)

      let account = try await store.authenticate(secret)

      #expect(account.name == "librarian")
      #expect(account.tokenIdentifier == token.identifier)
      #expect(account.access(to: "user:7") == .readWrite)
      #expect(account.access(to: "news:today") == .read)
      #expect(account.access(to: "user:77") == .none)
    }

    @Test func `the file does not contain the secret of a token`() async throws {
      let store = try open()
      let secret = try store.create(account: "librarian", rules: [ScopeRule("*")]).secret
      try store.close()

      let bytes = try Data(contentsOf: file)

      #expect(secret.hasPrefix("ucs_"))
      #expect(secret.count == 47)
      #expect(bytes.range(of: Data(secret.dropFirst(4).utf8)) == nil)
      let account = try await open().authenticate(secret)
      #expect(account.name == "librarian")
    }

    @Test(arguments: ["", "ucs_", "ucs_unknown", "basic", "a.b.c"])
    func `an unknown token is refused`(token: String) async throws {
      let store = try open()
      _ = try store.create(account: "librarian", rules: [ScopeRule("*")])

      await #expect(throws: TokenRefusal.unknown) { try await store.authenticate(token) }
    }

    @Test func `an expired token is refused`() async throws {
      let store = try open()
      let now = Date(timeIntervalSince1970: 1_700_000_000)
      let expired = try store.create(
        account: "librarian", rules: [ScopeRule("*")], expiration: now)
      let valid = try store.create(
        account: "librarian", rules: [ScopeRule("*")], expiration: now.addingTimeInterval(1))

      await #expect(throws: TokenRefusal("the token has expired")) {
        try await store.authenticate(expired.secret)
      }
      let account = try await store.authenticate(valid.secret)
      #expect(account.expiration == valid.token.expiration)
    }

    @Test func `a token that another process has revoked is refused after a refresh`() async throws
    {
      let (server, tool) = (try open(), try open())
      let (token, secret) = try server.create(account: "librarian", rules: [ScopeRule("*")])
      let account = try await server.authenticate(secret)

      let isRevoked = try tool.revoke(token.identifier)
      let isRevokedAgain = try tool.revoke(token.identifier)
      try server.refresh()

      #expect([isRevoked, isRevokedAgain] == [true, false])
      #expect(!server.isAccepted(account))
      await #expect(throws: TokenRefusal("the token was revoked")) {
        try await server.authenticate(secret)
      }
    }

    @Test func `the last use of a token is stored as a day`() async throws {
      let store = try open()
      let secret = try store.create(account: "librarian", rules: [ScopeRule("*")]).secret
      #expect(try store.tokens().first?.lastUse == nil)

      _ = try await store.authenticate(secret)
      try store.refresh()

      let lastUse = try store.tokens().first?.lastUse
      #expect(lastUse == Date(timeIntervalSince1970: 1_699_920_000))
    }

    @Test(arguments: [("", ["*"]), ("a\u{0}", ["*"]), ("librarian", [])])
    func `a token without an account or without scopes cannot be created`(
      account: String, patterns: [String]
    ) throws {
      let store = try open()

      let error = #expect(throws: StorageError.self) {
        try store.create(account: account, rules: patterns.map { ScopeRule($0) })
      }
      #expect(error?.code == .misuse)
      #expect(store.isEmpty)
    }
  }
#endif
