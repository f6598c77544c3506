import Undercroft
public import UndercroftSync

extension Catalogue {
  /// Stores the server in a network with which this catalogue is synchronised, and the token.
  ///
  /// The server is used first by the next synchronisation. If this catalogue is connected with the
  /// same server already, only the token changes.
  ///
  /// - Parameters:
  ///   - server: the server.
  ///   - token: the token that the server has issued for the account.
  ///   - isMoved: whether the server with which this catalogue is synchronised has another address
  ///     now.
  /// - Throws: ``NotFound`` if this catalogue was synchronised with another server.
  public func connect(
    to server: NetworkServer, token: String, isMoved: Bool = false
  ) async throws {
    let binding = server.binding
    if let known = try storage.load(.server), known != binding {
      let isSameScope = known.account == binding.account && known.scope == binding.scope
      let engine = try offlineEngine()
      // Another server does not know the rows, and the next synchronisation would remove them.
      guard engine.currentStatus.cursor == 0 || (isMoved && isSameScope) else {
        throw alreadySynchronised(known, isSameScope: isSameScope)
      }
      if !isSameScope { try await engine.disable() }
    }
    try storage.save(token, for: .serverToken)
    try storage.save(binding, for: .server)
  }

  /// Returns the server in a network with which this catalogue is synchronised.
  ///
  /// - Throws: ``NotFound`` if the catalogue is not connected with such a server.
  public func networkServer() throws -> NetworkServer {
    guard let binding = try storage.load(.server) else {
      throw NotFound(
        """
        cannot synchronise the home \(homeText): this home is not connected with a server; run \
        shelf connect URL --account NAME, or shelf sync --with OTHER-HOME
        """)
    }
    guard case .network(let address, let account) = binding.server else {
      throw NotFound(
        """
        cannot synchronise the home \(homeText): its server is in the folder \
        \(binding.serverText.debugDescription); run shelf sync --with OTHER-HOME
        """)
    }
    return NetworkServer(address: address, account: account, scope: binding.scope)
  }

  /// Returns the token for the server in a network.
  ///
  /// - Parameter refused: a token that the server has refused. Another process may have stored a
  ///   new one meanwhile.
  /// - Throws: a `StorageError` with the code `accessDenied` if there is no other token.
  public func serverToken(replacing refused: String? = nil) throws -> String {
    let token = try storage.load(.serverToken)
    guard let token, token != refused else {
      throw StorageError(
        .accessDenied,
        token == nil
          ? "this home stores no token for the server"
          : "the server has refused the token of this home",
        suggestion: """
          ask the operator of the server for a token, and run shelf connect again with this token
          """)
    }
    return token
  }

  /// Creates an engine that synchronises this catalogue with its server in a network.
  ///
  /// - Throws: ``NotFound`` if the catalogue is not connected with such a server.
  public func networkEngine(_ peer: some SyncPeer) throws -> SyncEngine {
    let server = try networkServer()
    return try syncEngine(
      scope: ScopeIdentifier(server.scope), account: server.account, peer: peer)
  }

  /// Synchronises this catalogue once with its server in a network.
  ///
  /// - Throws: ``NotFound`` if the catalogue is not connected with such a server; a `StorageError`
  ///   with the code `locked` if another process synchronises, or one of the peer;
  ///   `CancellationError` if the task is cancelled.
  public func synchronise(through peer: some SyncPeer) async throws -> HomeExchange {
    let engine = try networkEngine(peer)
    let outcome = try await engine.sync()
    if outcome.isLeasedElsewhere { throw Self.busy(homeText) }
    return HomeExchange(
      sent: outcome.pushed, received: outcome.pulled, conflicts: try engine.conflicts().count)
  }

  private func alreadySynchronised(_ known: ServerBinding, isSameScope: Bool) -> NotFound {
    let suggestion =
      isSameScope
      ? "if this server has another address now, pass --moved; otherwise run shelf sync --stop first"
      : "run shelf sync --stop first"
    return NotFound(
      """
      cannot connect the home \(homeText): this home is synchronised with the scope \
      \(known.scope.debugDescription) of the server \(known.serverText.debugDescription); \
      \(suggestion)
      """)
  }
}
