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
  let access: @Sendable (_ account: String, _ scope: ScopeIdentifier) -> ScopeAccess
  let validate: @Sendable (ProposedChange) -> OperationRejection?
  let heldPackets: HeldPackets
  let subscribers = PokeSubscribers()

  /// Creates a server on a store.
  ///
  /// At any time, only one server in all processes may use the store.
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
  }
}
