#if SyncServer
  import Synchronization
  import UndercroftCore
  public import UndercroftFoundation
  public import UndercroftSync

  /// The tokens of a server, in a SQLite file or in the store of the server.
  ///
  /// Only digests of the secrets are stored. Several processes may use one file or store. A running
  /// server accepts a token of another process as soon as it is stored, and applies the revocations
  /// of another process within about one second.
  public final class TokenStore: Authenticator {
    /// The tokens in memory, so that a request with a known token waits for no storage.
    private struct State {
      var tokens: [ExactString: AccessToken] = [:]
      var revoked: Set<ExactString> = []
      /// The number of the last stored change that ``tokens`` contains.
      var changes: Int64 = -1
      /// The tokens that were used since the last ``refresh()``, with the day of the use.
      var used: [ExactString: Int64] = [:]
    }

    private let storage: any TokenStorage
    /// The place in which the scopes and bytes of accounts are counted.
    let usage: any UsageStorage
    private let now: @Sendable () -> Date
    private let state = Mutex(State())
    private let search = CoalescedWork(label: "undercroft.sync.server.tokens")

    /// Opens a file, which is created if it is missing.
    ///
    /// The processes that use the file must run on one computer.
    public convenience init(at url: URL) throws {
      try self.init(at: url, now: { Date() })
    }

    /// Opens a file, with a clock for tests.
    package convenience init(at url: URL, now: @escaping @Sendable () -> Date) throws {
      let storage = try TokenDatabase(at: url)
      try self.init(storage, UsageDatabase(database: storage.database), now)
    }

    /// Opens the tokens in the store of a server.
    ///
    /// All processes that serve the store share the tokens. The store remains open while the tokens
    /// are used.
    public convenience init(in store: any SyncServerStore) throws {
      try self.init(in: store, now: { Date() })
    }

    /// Opens the tokens in the store of a server, with a clock for tests.
    package convenience init(
      in store: any SyncServerStore, now: @escaping @Sendable () -> Date
    ) throws {
      let records = AccountRecords(store: store)
      try self.init(TokenRecords(records: records), UsageRecords(records: records), now)
    }

    private init(
      _ storage: any TokenStorage, _ usage: any UsageStorage, _ now: @escaping @Sendable () -> Date
    ) throws {
      self.storage = storage
      self.usage = usage
      self.now = now
      try refresh()
    }

    /// Whether there is no token.
    public var isEmpty: Bool { state.withLock { $0.tokens.isEmpty } }

    /// Creates a token, and returns it with its secret, which is stored nowhere.
    ///
    /// - Parameters:
    ///   - account: the name of the account.
    ///   - rules: the access to scopes.
    ///   - expiration: the time at which the token expires, or `nil`.
    /// - Throws: ``StorageError/Code/misuse`` for an empty or too long name, and for a token
    ///   without rules.
    public func create(
      account: String, rules: [ScopeRule], expiration: Date? = nil
    ) throws -> (token: AccessToken, secret: String) {
      let (stored, secret) = try makeToken(account, rules, expiration)
      _ = try storage.insert(stored, onlyFirst: false)
      try refresh()
      return (stored.token, secret)
    }

    /// Creates a token unless there is one, and returns its secret, or `nil` if there is a token.
    ///
    /// Of several processes that call this function at the same time, one creates a token.
    package func createFirst(account: String, rules: [ScopeRule]) throws -> String? {
      let (stored, secret) = try makeToken(account, rules, nil)
      let isFirst = try storage.insert(stored, onlyFirst: true)
      try refresh()
      return isFirst ? secret : nil
    }

    private func makeToken(
      _ account: String, _ rules: [ScopeRule], _ expiration: Date?
    ) throws -> (StoredToken, secret: String) {
      guard (1...1024).contains(account.utf8.count), !account.utf8.contains(0), !rules.isEmpty
      else {
        throw StorageError(
          .misuse,
          """
          cannot create a token for the account \(quoted(account)): a token needs a rule for scopes, \
          and the name of an account has 1 to 1024 bytes without NUL
          """, suggestion: "state an account and at least one scope")
      }
      let secret = TokenSecret.make()
      let token = AccessToken(
        identifier: TokenSecret.makeIdentifier(), account: account, rules: rules, creation: now(),
        expiration: expiration, revocation: nil, lastUse: nil)
      return (StoredToken(digest: TokenSecret.digest(of: secret), token: token), secret)
    }

    /// Returns all tokens, in the order of their creation.
    public func tokens() throws -> [AccessToken] {
      try storage.tokens(changedAfter: -1)?.tokens.map(\.token) ?? []
    }

    /// Revokes a token, and returns whether there is a token with the identifier that was not
    /// revoked before.
    @discardableResult
    public func revoke(_ identifier: String) throws -> Bool {
      let isRevoked = try storage.revoke(identifier, at: now().milliseconds)
      try refresh()
      return isRevoked
    }

    /// Returns the account of a token that is neither expired nor revoked.
    ///
    /// If the token is not in memory, waits until the changes of other processes are read.
    public func authenticate(_ token: String) async throws -> Account {
      // Other texts cause no access to the storage.
      guard TokenSecret.isWellFormed(token) else { throw TokenRefusal.unknown }
      let digest = TokenSecret.digest(of: token).exact
      if let account = try account(withDigest: digest) { return account }
      // One read serves all requests that wait, so requests with invented tokens use one thread.
      try await search.run { try self.readChanges() }
      guard let account = try account(withDigest: digest) else { throw TokenRefusal.unknown }
      return account
    }

    /// Returns the account of a token in memory, or `nil` if the token is not there.
    private func account(withDigest digest: ExactString) throws(TokenRefusal) -> Account? {
      let now = now()
      return try state.withLock { state throws(TokenRefusal) in
        guard let found = state.tokens[digest] else { return nil }
        guard found.revocation == nil else { throw TokenRefusal("the token was revoked") }
        if let expiration = found.expiration, expiration <= now {
          throw TokenRefusal("the token has expired")
        }
        let day = now.milliseconds / Self.dayMilliseconds
        if found.lastUse.map({ $0.milliseconds / Self.dayMilliseconds }) != day {
          state.used[found.identifier.exact] = day
        }
        return found.grant
      }
    }

    private static let dayMilliseconds: Int64 = 86_400_000

    /// Returns whether the token is not revoked.
    public func isAccepted(_ account: Account) -> Bool {
      state.withLock { !$0.revoked.contains(account.tokenIdentifier.exact) }
    }

    /// Reads the tokens again if they have changed, and stores the days on which tokens were used.
    public func refresh() throws {
      let used = state.withLock { state in
        defer { state.used = [:] }
        return state.used
      }
      if !used.isEmpty {
        try storage.note(uses: used.mapValues { $0 * Self.dayMilliseconds })
      }
      try readChanges()
    }

    /// Reads the tokens again if they have changed.
    private func readChanges() throws {
      let known = state.withLock { $0.changes }
      guard let (tokens, change) = try storage.tokens(changedAfter: known) else { return }
      state.withLock { state in
        guard change > state.changes else { return }
        state.changes = change
        // A token is never removed, so those that have not changed remain valid.
        for stored in tokens {
          state.tokens[stored.digest.exact] = stored.token
          if stored.token.revocation != nil { state.revoked.insert(stored.token.identifier.exact) }
        }
      }
    }

    /// Closes the file, or does nothing if the tokens are in the store of a server.
    public func close() throws { try storage.close() }
  }

  extension Date {
    /// The time in milliseconds since 1970, or the nearest number that can be stored.
    var milliseconds: Int64 { Int64(exactly: (timeIntervalSince1970 * 1000).rounded(.down)) ?? 0 }

    /// Creates a time from milliseconds since 1970.
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
  }
#endif
