#if SyncServer
  import Synchronization
  import UndercroftCore
  public import UndercroftFoundation
  import UndercroftSQLite
  import UndercroftSync

  /// The tokens of a server, in a SQLite file.
  ///
  /// The file contains only digests of the secrets. Several processes may use one file. A running
  /// server applies the revocations of another process within about one second.
  public final class TokenStore: Authenticator {
    /// The tokens in memory, so that a request waits for no file.
    private struct State {
      var tokens: [ExactString: AccessToken] = [:]
      var revoked: Set<ExactString> = []
      /// The number of changes of the file that ``tokens`` contains.
      var changes: Int64 = -1
      /// The tokens that were used since the last ``refresh()``, with the day of the use.
      var used: [ExactString: Int64] = [:]
    }

    let database: Database
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// Opens the file, which is created if it is missing.
    public convenience init(at url: URL) throws {
      try self.init(at: url, now: { Date() })
    }

    /// Opens the file, with a clock for tests.
    package init(at url: URL, now: @escaping @Sendable () -> Date) throws {
      database = try Database(
        at: url,
        DatabaseOptions(durability: .powerLoss, lockTimeout: .seconds(30), observesRows: false))
      self.now = now
      try TokenSchema.ensure(in: database)
      try refresh()
    }

    /// Whether the file contains no token.
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
      try database.write(from: .application) { db in
        try TokenSchema.insert(token, digest: TokenSecret.digest(of: secret), in: db)
      }
      try refresh()
      return (token, secret)
    }

    /// Returns all tokens, in the order of their creation.
    public func tokens() throws -> [AccessToken] {
      try database.read { db in try TokenSchema.tokens(in: db).map(\.token) }
    }

    /// Revokes a token, and returns whether there is a token with the identifier that was not
    /// revoked before.
    @discardableResult
    public func revoke(_ identifier: String) throws -> Bool {
      let milliseconds = now().milliseconds
      let count = try database.write(from: .application) { db in
        try TokenSchema.revoke(identifier, at: milliseconds, in: db)
      }
      try refresh()
      return count > 0
    }

    /// Returns the account of a token that is neither expired nor revoked.
    public func authenticate(_ token: String) async throws -> Account {
      guard token.hasPrefix(TokenSecret.prefix) else { throw TokenRefusal.unknown }
      let digest = TokenSecret.digest(of: token).exact
      let now = now()
      return try state.withLock { state throws(TokenRefusal) in
        guard let found = state.tokens[digest] else { throw TokenRefusal.unknown }
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
      let (used, known) = state.withLock { state in
        defer { state.used = [:] }
        return (state.used, state.changes)
      }
      if !used.isEmpty {
        try database.write(from: .application) { db in
          for (identifier, day) in used {
            try TokenSchema.note(
              identifier.text, usedAt: day * Self.dayMilliseconds, in: db)
          }
        }
      }
      let read = try database.read { db -> (Int64, [TokenSchema.StoredToken])? in
        let changes = try TokenSchema.changes(in: db)
        return changes == known ? nil : (changes, try TokenSchema.tokens(in: db))
      }
      guard let (changes, tokens) = read else { return }
      state.withLock { state in
        guard changes > state.changes else { return }
        state.changes = changes
        state.tokens = Dictionary(
          tokens.map { ($0.digest.exact, $0.token) }, uniquingKeysWith: { _, last in last })
        state.revoked = Set(
          tokens.filter { $0.token.revocation != nil }.map(\.token.identifier.exact))
      }
    }

    /// Closes the file.
    public func close() throws { try database.close() }
  }

  extension Date {
    /// The time in milliseconds since 1970, or the nearest number that can be stored.
    var milliseconds: Int64 { Int64(exactly: (timeIntervalSince1970 * 1000).rounded(.down)) ?? 0 }

    /// Creates a time from milliseconds since 1970.
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
  }
#endif
