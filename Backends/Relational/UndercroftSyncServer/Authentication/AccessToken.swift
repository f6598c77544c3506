#if SyncServer
  public import UndercroftFoundation

  /// A token of a ``TokenStore``, without its secret.
  public struct AccessToken: Sendable, Hashable {
    /// The public identifier, with which the token is revoked.
    public let identifier: String
    /// The name of the account.
    public let account: String
    /// The access to scopes.
    public let rules: [ScopeRule]
    /// The time of creation.
    public let creation: Date
    /// The time at which the token expires, or `nil` if it does not expire.
    public let expiration: Date?
    /// The time of revocation, or `nil` if the token is not revoked.
    public let revocation: Date?
    /// The day on which the token was used last, in Coordinated Universal Time, or `nil` if it was
    /// never used.
    public let lastUse: Date?

    /// The account as the token grants it.
    var grant: Account {
      Account(name: account, rules: rules, expiration: expiration, tokenIdentifier: identifier)
    }
  }
#endif
