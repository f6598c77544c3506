import UndercroftSQLite

/// The numbers of operations and rows that a replica has to process.
package struct ReplicaQueue: Hashable, Sendable {
  /// The operations that have no place in the chain yet.
  package var unsealed = 0
  /// The operations whose results have not arrived.
  package var sealed = 0
  /// The operations whose effects have not been pulled.
  package var acknowledged = 0
  /// The entries of pages that have not been executed.
  package var staged = 0
  /// The pulled rows that this database cannot contain.
  package var blocked = 0
  /// The conflicts that are open.
  package var conflicts = 0

  /// Whether the replica is equal to what it has pulled.
  package var isEmpty: Bool { unsealed + sealed + acknowledged + staged + blocked == 0 }
}

extension Replica {
  /// Returns whether pages contain entries that have not been executed.
  package func hasStagedEntries() throws -> Bool {
    try database.read { db in
      let (scopeID, _) = try ReplicaState.load(scope, in: db)
      return try db.fetchValue(
        "SELECT EXISTS(SELECT 1 FROM sync_to_execute WHERE scope_id = \(scopeID))")
    }
  }

  /// Returns whether the queue contains changes that have no place in the chain yet.
  package func hasUnsealedOperations() throws -> Bool {
    try database.read { db in
      let (scopeID, _) = try ReplicaState.load(scope, in: db)
      return try db.fetchValue(
        """
        SELECT EXISTS(
          SELECT 1 FROM sync_to_sync
          WHERE scope_id = \(scopeID) AND state IN ('pending', 'closed', 'ready'))
        """)
    }
  }

  /// Returns the numbers of operations and rows that the replica has to process.
  package func queue() throws -> ReplicaQueue {
    try database.read { db in
      let (scopeID, _) = try ReplicaState.load(scope, in: db)
      var queue = ReplicaQueue()
      try db.forEach(
        "SELECT state, count(*) FROM sync_to_sync WHERE scope_id = \(scopeID) GROUP BY state"
      ) { row in
        let state: OperationState = try row[0]
        switch state {
        case .pending, .closed, .ready: queue.unsealed += try row[1]
        case .sealed, .confirmed: queue.sealed += try row[1]
        case .acknowledged: queue.acknowledged += try row[1]
        case .failed: break
        }
      }
      queue.staged = try db.fetchValue(
        "SELECT count(*) FROM sync_to_execute WHERE scope_id = \(scopeID)")
      queue.blocked = try db.fetchValue(
        """
        SELECT count(*) FROM sync_blocked b JOIN sync_table t ON t.name = b.table_name
        WHERE t.scope_id = \(scopeID)
        """)
      queue.conflicts = try db.fetchValue(
        "SELECT count(*) FROM sync_conflict WHERE scope_id = \(scopeID) AND state = 'open'")
      return queue
    }
  }
}
