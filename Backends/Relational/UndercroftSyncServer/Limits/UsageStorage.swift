#if SyncServer
  import UndercroftSync

  /// The place in which ``AccountUsage`` stores the owners and the bytes of scopes.
  ///
  /// Several processes can use one place at the same time.
  protocol UsageStorage: Sendable {
    /// Returns the account to which a scope belongs, which becomes the given account if the scope
    /// belongs to none.
    ///
    /// Returns `nil` if the scope belongs to none, and the account has reached its limit of scopes.
    func owner(
      of scope: ScopeIdentifier, orElse account: String, limit: Int?
    ) throws -> String?

    /// Adds bytes to scopes that belong to an account.
    func add(_ bytes: [ScopeIdentifier: Int64]) throws

    /// Replaces the bytes of a scope by those that its rows have at a version, and returns the
    /// bytes before, or `nil` if the scope belongs to no account.
    func replace(bytes: Int64, of scope: ScopeIdentifier, at head: Int64) throws -> Int64?

    /// Returns all scopes that belong to an account.
    func scopes() throws -> [ScopeUsage]
  }

  /// The owner and the bytes of a scope.
  struct ScopeUsage: Sendable {
    let scope: ScopeIdentifier
    let account: String
    let bytes: Int64
  }
#endif
