import UndercroftCore

extension SyncServer {
  /// Answers the first request of a replica with the limits and with the requested scopes that the
  /// account can read.
  ///
  /// If one of these scopes does not exist, it is created.
  ///
  /// - Throws: ``StorageError/Code/accessDenied`` if the request names another account.
  package func hello(_ request: HelloRequest, account: String) throws -> HelloAnswer {
    guard request.account.exact == account.exact else {
      throw StorageError(
        .accessDenied,
        """
        cannot answer the hello request of the replica \(quoted(request.replica.text)): the request \
        names the account \(quoted(request.account)), but the authenticated account is \
        \(quoted(account))
        """,
        suggestion: """
          sign in with the account \(quoted(request.account)), or use a separate database for each \
          account
          """)
    }
    let scopes = try request.scopes.compactMap { scope -> ScopeState? in
      let access = access(account, scope)
      guard access >= .read else { return nil }
      let stored = try existingScope(scope)
      return ScopeState(
        scope: scope, epoch: stored.epoch, head: stored.head, floor: stored.floor,
        canWrite: access == .readWrite)
    }
    return HelloAnswer(
      serverTime: environment.now(), startTime: request.startTime, limits: limits, schema: schema,
      scopes: scopes, policies: announcedPolicies)
  }

  /// The names of the policies by table, or `nil` if there are more tables than a replica accepts.
  ///
  /// Tables whose names no message can contain are omitted, because they cannot be synchronised.
  private var announcedPolicies: [ExactString: PolicyNames]? {
    let names = policies.filter { (try? WireForm.validate(name: $0.key.text)) != nil }
      .mapValues { PolicyNames($0) }
    return names.count <= SyncLimits.columns ? names : nil
  }

  /// Answers with the latest version of a scope and the digest of all its rows.
  ///
  /// - Throws: ``StorageError/Code/accessDenied`` if the account may not read the scope.
  package func digest(_ request: DigestRequest, account: String) throws -> DigestAnswer {
    try require(.read, in: request.scope, for: account, to: "pull")
    let stored = try existingScope(request.scope)
    return DigestAnswer(version: stored.head, digest: stored.digest)
  }
}
