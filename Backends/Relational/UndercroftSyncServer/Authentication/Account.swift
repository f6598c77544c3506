#if SyncServer
  public import UndercroftFoundation
  public import UndercroftSync

  /// The account of a request, as its token grants it.
  public struct Account: Sendable, Hashable {
    /// The name of the account, to which replicas are bound.
    public var name: String
    /// The access to scopes.
    ///
    /// The access to a scope is the greatest one of all rules that match.
    public var rules: [ScopeRule]
    /// The time at which the token expires, or `nil` if it does not expire.
    public var expiration: Date?
    /// The public identifier of the token, for logs and for the revocation of streams.
    public var tokenIdentifier: String

    /// Creates an account.
    public init(
      name: String, rules: [ScopeRule], expiration: Date? = nil, tokenIdentifier: String
    ) {
      self.name = name
      self.rules = rules
      self.expiration = expiration
      self.tokenIdentifier = tokenIdentifier
    }

    /// Returns the access of the token to a scope.
    public func access(to scope: ScopeIdentifier) -> ScopeAccess {
      rules.filter { $0.matches(scope) }.map(\.access).max() ?? .none
    }
  }
#endif
