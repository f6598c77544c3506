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

    private let serverStore = InMemorySyncStore()

    /// A token that no test creates, in the form of those that are created.
    private static let unknown = "ucs_" + String(repeating: "A", count: 43)

    private func open(_ place: TokenPlace = .file) throws -> TokenStore {
      try place.open(file, serverStore, now: { Date(timeIntervalSince1970: 1_700_000_000) })
    }

    @Test(arguments: TokenPlace.allCases)
    func `a token is accepted with its account and its rules`(place: TokenPlace) async throws {
      let store = try open(place)
      let rules = [ScopeRule("user:7"), ScopeRule("news:*", .read)]
      let (token, secret) = try store.create(account: "librarian", rules: rules)

      let account = try await store.authenticate(secret)

      #expect(account.name == "librarian")
      #expect(account.tokenIdentifier == token.identifier)
      #expect(account.access(to: "user:7") == .readWrite)
      #expect(account.access(to: "news:today") == .read)
      #expect(account.access(to: "user:77") == .none)
    }

    @Test func `an identifier has letters and digits only, so no command reads it as an option`()
      throws
    {
      let store = try open(.store)

      let identifiers = try (0..<500).map { _ in
        try store.create(account: "librarian", rules: [ScopeRule("*")]).token.identifier
      }

      #expect(Set(identifiers).count == 500)
      for identifier in identifiers { #expect(identifier.wholeMatch(of: /[A-Za-z0-9]{8}/) != nil) }
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

    @Test func `the store of a server contains the digest of a token, and lists no scope for it`()
      async throws
    {
      let secret = try open(.store).create(account: "librarian", rules: [ScopeRule("*")]).secret

      let bodies = try serverStore.read(in: "") { reader in
        try reader.records(after: 0, limit: StoreLimit(count: 9)).map {
          String(decoding: $0.body, as: UTF8.self)
        }
      }

      #expect(bodies.count == 1)
      #expect(bodies.first?.contains("digest") == true)
      #expect(bodies.first?.contains(secret.dropFirst(4)) == false)
      #expect(try serverStore.scopes() == [])
      let account = try await open(.store).authenticate(secret)
      #expect(account.name == "librarian")
    }

    @Test func `the row of a token in the store of a server has a fixed form`() throws {
      let tokens = try open(.store)
      let expiration = Date(timeIntervalSince1970: 1_700_000_001)
      let (token, _) = try tokens.create(
        account: "librarian", rules: [ScopeRule("news:*", .read), ScopeRule("user:7")],
        expiration: expiration)
      try tokens.revoke(token.identifier)

      let record = try serverStore.read(in: "") { reader in
        try reader.record(DataIdentifier(token.identifier), in: "account_token")
      }

      let body = String(decoding: try #require(record).body, as: UTF8.self)
        .replacing(/[0-9a-f]{64}/, with: "DIGEST")
      let rules =
        #"[{"access":1,"pattern":"news:*"},{"access":2,"pattern":"user:7"}]"#
      #expect(
        body == #"{"account":"librarian","created":1700000000000,"digest":"DIGEST","#
          + #""expires":1700000001000,"revoked":1700000000000,"rules":"# + rules + "}")
      #expect(record?.version == 2)
    }

    @Test(arguments: TokenPlace.allCases)
    func `only one of several processes creates the first token`(place: TokenPlace) throws {
      let processes = try (0..<3).map { _ in try open(place) }

      let secrets = try processes.map { process in
        try process.createFirst(account: "owner", rules: [ScopeRule("*")])
      }

      #expect(secrets.map { $0 == nil } == [false, true, true])
      #expect(processes.allSatisfy { !$0.isEmpty })
      let tokens = try open(place).tokens()
      #expect(tokens.map(\.account) == ["owner"])
    }

    @Test(arguments: TokenPlace.allCases)
    func `a token that another process has created is accepted at once`(
      place: TokenPlace
    ) async throws {
      let (server, tool) = (try open(place), try open(place))
      for account in ["ann", "bob"] {
        let secret = try tool.create(account: account, rules: [ScopeRule("*")]).secret

        let accepted = try await server.authenticate(secret)
        #expect(accepted.name == account)
      }
      let accounts = try server.tokens().map(\.account)
      #expect(Set(accounts) == ["ann", "bob"])
    }

    @Test(
      arguments: ["", "ucs_", "ucs_unknown", "basic", "a.b.c", unknown], TokenPlace.allCases)
    func `an unknown token is refused`(token: String, place: TokenPlace) async throws {
      let store = try open(place)
      _ = try store.create(account: "librarian", rules: [ScopeRule("*")])

      await #expect(throws: TokenRefusal.unknown) { try await store.authenticate(token) }
    }

    @Test func `only tokens in memory are verified while the store fails`() async throws {
      let store = SwitchableStore(serverStore)
      let tokens = try TokenStore(in: store)
      let secret = try tokens.create(account: "librarian", rules: [ScopeRule("*")]).secret
      store.fail(StorageError(.unavailable, "cannot read: the store is not available"))

      let account = try await tokens.authenticate(secret)
      let error = await #expect(throws: StorageError.self) {
        try await tokens.authenticate(Self.unknown)
      }
      await #expect(throws: TokenRefusal.unknown) { try await tokens.authenticate("ucs_short") }

      #expect(account.name == "librarian")
      #expect(error?.code == .unavailable)
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

    @Test(arguments: TokenPlace.allCases)
    func `a token that another process has revoked is refused after a refresh`(
      place: TokenPlace
    ) async throws {
      let (server, tool) = (try open(place), try open(place))
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

    @Test(arguments: TokenPlace.allCases)
    func `the last use of a token is stored as a day`(place: TokenPlace) async throws {
      let store = try open(place)
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
