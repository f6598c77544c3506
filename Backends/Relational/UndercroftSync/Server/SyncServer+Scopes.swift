import UndercroftCore

extension SyncServer {
  /// Returns the version of a scope, or `nil` if the scope does not exist.
  public func head(of scope: ScopeIdentifier) throws -> Int64? {
    try store.read(in: scope) { try $0.scope()?.head }
  }

  /// Returns the scopes that exist, in any order.
  public func scopes() throws -> [ScopeIdentifier] { try store.scopes() }

  /// Begins a new history of a scope, and returns the identifier of the new history.
  ///
  /// Call this function for each scope after a backup of the store was restored. The replicas then
  /// pull a snapshot, remove the rows that the server has lost, and push the changes that are still
  /// in their queues.
  @discardableResult
  public func restoreEpoch(of scope: ScopeIdentifier) throws -> Epoch {
    let epoch = Epoch(environment.makeIdentifier())
    let head = try store.write(in: scope) { transaction in
      var stored = try transaction.scope() ?? StoredScope(epoch: epoch)
      stored.epoch = epoch
      try transaction.put(stored)
      return stored.head
    }
    heldPackets.removeAll(in: scope)
    subscribers.poke(SyncPoke(scope: scope, head: head))
    return epoch
  }

  /// Drops the packets that wait for earlier operations, as if the process of the server had ended.
  package func dropHeldPackets() { heldPackets.removeAll() }

  /// Returns the state of a scope, and creates the scope if it does not exist.
  func existingScope(_ scope: ScopeIdentifier) throws -> StoredScope {
    if let stored = try store.read(in: scope, { try $0.scope() }) { return stored }
    return try store.write(in: scope) { try existingScope(in: $0) }
  }

  /// Returns the state of the scope of a transaction, and creates the scope if it does not exist.
  func existingScope(in transaction: any SyncServerTransaction) throws -> StoredScope {
    if let stored = try transaction.scope() { return stored }
    let created = StoredScope(epoch: Epoch(environment.makeIdentifier()))
    try transaction.put(created)
    return created
  }
}
