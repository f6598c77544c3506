package import UndercroftCore

/// A server that orders the changes of scopes, decides between concurrent changes, and answers the
/// requests of replicas.
///
/// All functions can be called from any thread. They block until the store has responded.
public final class SyncServer: Sendable {
  let store: any SyncServerStore
  /// The policies of tables, by the names of the tables in lower case.
  let policies: [ExactString: TablePolicy]
  let limits: SyncLimits
  let schema: SchemaWindow
  let environment: SyncEnvironment
  package let access: @Sendable (_ account: String, _ scope: ScopeIdentifier) -> ScopeAccess
  let validate: @Sendable (ProposedChange) -> OperationRejection?
  let heldPackets: HeldPackets
  let subscribers: PokeSubscribers

  /// Creates a server on a store.
  ///
  /// At any time, only one server in all processes may use the store, unless the store states that
  /// several may, as the one of `UndercroftSyncPostgres` does.
  ///
  /// - Parameters:
  ///   - store: the store, such as a ``SQLiteSyncStore``.
  ///   - tables: the tables with their conflict policies, usually those of the engines of the
  ///     application. All other tables have the policies of `TablePolicy()`. If two entries have
  ///     the same name, the server uses the last one.
  ///   - limits: the sizes and counts that the server accepts.
  ///   - schema: the versions of the application's schema that the server supports.
  ///   - validate: returns the reason to reject a change, or `nil`. The closure must not use the
  ///     store.
  ///   - access: returns the access of an account to a scope. A scope is created when an account
  ///     with access requests it.
  public convenience init(
    store: any SyncServerStore, tables: [SyncedTable] = [],
    limits: SyncLimits = SyncLimits(), schema: SchemaWindow = SchemaWindow(),
    validate: @escaping @Sendable (ProposedChange) -> OperationRejection? = { _ in nil },
    access: @escaping @Sendable (_ account: String, _ scope: ScopeIdentifier) -> ScopeAccess
  ) {
    let policies = tables.map { ($0.name.exact, $0.completePolicy) }
    self.init(
      store: store, policies: Dictionary(policies, uniquingKeysWith: { _, last in last }),
      validate: validate, limits: limits, schema: schema,
      environment: .system, access: access)
  }

  /// Creates a server with the clock and the identifiers of `environment`.
  ///
  /// By default, the server grants every account full access to every scope.
  package init(
    store: any SyncServerStore, policies: [ExactString: TablePolicy] = [:],
    validate: @escaping @Sendable (ProposedChange) -> OperationRejection? = { _ in nil },
    limits: SyncLimits = SyncLimits(), schema: SchemaWindow = SchemaWindow(),
    environment: SyncEnvironment,
    access: @escaping @Sendable (_ account: String, _ scope: ScopeIdentifier) -> ScopeAccess = {
      _, _ in .readWrite
    }
  ) {
    self.store = store
    self.policies = Dictionary(
      policies.map { ($0.key.lowercased, $0.value) }, uniquingKeysWith: { _, last in last })
    self.validate = validate
    self.limits = limits
    self.schema = schema
    self.environment = environment
    self.access = access
    heldPackets = HeldPackets(limit: limits.heldPackets)
    subscribers = PokeSubscribers()
  }

  /// Creates a server that shares everything with another server except the access of accounts.
  private init(
    sharing server: SyncServer,
    access: @escaping @Sendable (_ account: String, _ scope: ScopeIdentifier) -> ScopeAccess
  ) {
    store = server.store
    policies = server.policies
    limits = server.limits
    schema = server.schema
    environment = server.environment
    validate = server.validate
    heldPackets = server.heldPackets
    subscribers = server.subscribers
    self.access = access
  }

  /// Returns the same server for requests that have less access than their account, such as the
  /// requests with one token of an account.
  ///
  /// Both servers use the same store, waiting packets and streams of pokes.
  ///
  /// - Parameter access: returns the largest access to a scope. The access of a request is the
  ///   lesser of this access and the access of the account.
  package func limited(
    to access: @escaping @Sendable (_ scope: ScopeIdentifier) -> ScopeAccess
  ) -> SyncServer {
    let accountAccess = self.access
    return SyncServer(sharing: self) { account, scope in
      // The access of the account is not evaluated if the limit grants nothing.
      let limit = access(scope)
      return limit == .none ? .none : min(limit, accountAccess(account, scope))
    }
  }
}
