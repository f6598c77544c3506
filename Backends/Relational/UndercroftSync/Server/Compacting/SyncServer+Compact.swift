import UndercroftCore

/// The result of a compaction of a scope: the version that it reached, and the numbers of removed
/// objects.
public struct SyncCompaction: Sendable, Hashable {
  /// The version of the scope up to which operations, and all tombstones that are not retained,
  /// have been removed.
  public var floor: Int64
  /// The number of removed tombstones.
  public var tombstones: Int
  /// The number of operations that were removed from the ledger.
  public var operations: Int
  /// The number of removed conflicts.
  public var conflicts = 0
  /// The number of removed replicas.
  public var replicas = 0

  package init(floor: Int64, tombstones: Int = 0, operations: Int = 0) {
    self.floor = floor
    self.tombstones = tombstones
    self.operations = operations
  }
}

extension SyncServer {
  /// Removes the tombstones and the operations of a scope up to a version.
  ///
  /// The tombstone of a row remains if the row was inserted on a replica that had received nothing
  /// from the server, because a copy of the replica's file can send that insertion at any time.
  ///
  /// A replica that has not pulled this version must pull a snapshot. If such a replica sends an
  /// operation that the server may have applied before, the operation becomes a conflict of the
  /// kind ``SyncConflict/Kind/stale``. Conflicts are not removed.
  @discardableResult
  public func compact(
    _ scope: ScopeIdentifier, through version: Int64
  ) throws -> SyncCompaction {
    try store.write(in: scope) { transaction in
      guard let stored = try transaction.scope() else { return SyncCompaction(floor: 0) }
      return try compact(stored, through: version, transaction)
    }
  }

  /// Removes the tombstones, operations, conflicts and replicas of a scope that a retention does
  /// not protect.
  ///
  /// Tombstones and operations are removed if they are older than ``SyncRetention/minimum`` and all
  /// replicas have received them, or if they are older than ``SyncRetention/maximum``. Conflicts
  /// are removed if they are older than ``SyncRetention/maximum``. Replicas are removed if they
  /// were silent for ``SyncRetention/maximum``.
  @discardableResult
  public func compact(
    _ scope: ScopeIdentifier, retention: SyncRetention = SyncRetention()
  ) throws -> SyncCompaction {
    let now = environment.now()
    let oldest = now.subtractingReportingOverflow(retention.maximum).partialValue
    let newest = now.subtractingReportingOverflow(retention.minimum).partialValue
    return try store.write(in: scope) { transaction in
      guard let stored = try transaction.scope() else { return SyncCompaction(floor: 0) }
      var removedReplicas = 0
      var received: Int64 = .max
      for replica in try transaction.replicas() {
        if replica.lastSeen < oldest {
          try transaction.removeReplica(replica.replica)
          removedReplicas += 1
        } else {
          received = min(received, try transaction.version(receivedBy: replica))
        }
      }
      let expired = try transaction.version(receivedBy: oldest)
      let settled = min(try transaction.version(receivedBy: newest), received)
      var compaction = try compact(stored, through: max(expired, settled), transaction)
      compaction.conflicts = try transaction.removeConflicts(through: expired)
      compaction.replicas = removedReplicas
      return compaction
    }
  }

  private func compact(
    _ stored: StoredScope, through version: Int64, _ transaction: any SyncServerTransaction
  ) throws -> SyncCompaction {
    var stored = stored
    stored.floor = max(stored.floor, min(version, stored.head))
    try transaction.put(stored)
    return SyncCompaction(
      floor: stored.floor,
      tombstones: try transaction.removeTombstones(through: stored.floor),
      operations: try transaction.removeOperations(through: stored.floor))
  }
}

extension SyncServerReader {
  /// Returns the version up to which a replica has received all tombstones and all results of its
  /// operations.
  fileprivate func version(receivedBy replica: StoredReplica) throws -> Int64 {
    let next = replica.resultsThrough &+ 1
    guard let owed = try operation(of: replica.replica, at: next) else {
      return replica.appliedCursor
    }
    return min(replica.appliedCursor, owed.processedAt &- 1)
  }
}
