#if SyncServer
  package import UndercroftSync

  /// The scopes that a request uses.
  package struct UsedScopes: Sendable {
    let scopes: [ScopeIdentifier]
    let endpoint: SyncRequest.Endpoint
    /// The number of bytes of the message.
    let bytes: Int
    let account: Account

    package init(
      _ scopes: [ScopeIdentifier], _ endpoint: SyncRequest.Endpoint, bytes: Int, by account: Account
    ) {
      self.scopes = scopes
      self.endpoint = endpoint
      self.bytes = bytes
      self.account = account
    }
  }

  /// The scopes and bytes of accounts, for the limits of ``ServerLimits``.
  package protocol UsageLedger: Sendable {
    /// Counts a request before it is processed.
    ///
    /// A scope belongs to the account that has used it first.
    ///
    /// - Throws: a ``ServerProblem`` with the status 507 if the account has reached a limit.
    func admit(_ used: UsedScopes, on server: SyncServer) throws

    /// Stores the counted bytes.
    func refresh() throws

    /// Replaces the counted bytes of a scope with those that its rows have.
    func measure(_ scope: ScopeIdentifier, on server: SyncServer) throws
  }
#endif
