import UndercroftSQLite

/// The numbers of operations, pulled rows and conflicts that a replica still has to process.
package struct ReplicaQueue: Hashable, Sendable {
  /// The number of operations that have no sequence number yet and so cannot be sent.
  package var unsealed = 0
  /// The number of operations that are ``OperationState/sealed`` or ``OperationState/confirmed``,
  /// so that their results have not arrived.
  package var sealed = 0
  /// The number of operations whose results have arrived and whose effects have not been pulled.
  package var acknowledged = 0
  /// The number of entries of stored pages that have not been applied: rows and ends of pages.
  package var staged = 0
  /// The number of pulled rows that wait because they violate a constraint of this database.
  package var blocked = 0
  /// The number of open conflicts.
  package var conflicts = 0

  /// Whether no operation waits for the server, and no pulled row waits to be applied.
  ///
  /// Open conflicts do not count.
  package var isEmpty: Bool { unsealed + sealed + acknowledged + staged + blocked == 0 }
}

extension Replica {
  /// Returns whether stored pages contain entries that have not been applied.
  package func hasStagedEntries() throws -> Bool {
    try database.read { db in
      let (scopeID, _) = try ReplicaState.load(scope, in: db)
      return try db.fetchValue(
        "SELECT EXISTS(SELECT 1 FROM sync_to_execute WHERE scope_id = \(scopeID))")
    }
  }

  /// Returns whether the queue contains changes that have no sequence number yet.
  package func hasUnsealedOperations() throws -> Bool {
    try database.read { db in
      let (scopeID, _) = try ReplicaState.load(scope, in: db)
      return try db.fetchValue(
        """
        SELECT EXISTS(
          SELECT 1 FROM sync_to_sync
          WHERE scope_id = \(scopeID) AND state IN ('pending', 'closed', 'ready')
            AND batch_id IS NULL)
        """)
    }
  }

  /// Returns the numbers of operations and rows that the replica has to process.
  package func queue() throws -> ReplicaQueue {
    try database.read { db in
      try ReplicaQueue(ofScope: ReplicaState.load(scope, in: db).number, in: db)
    }
  }
}

extension ReplicaQueue {
  /// Counts the operations and rows of a scope.
  ///
  /// - Parameter scopeID: the number of the scope in the database.
  init(ofScope scopeID: Int64, in db: Connection) throws {
    self.init()
    try db.forEach(
      """
      SELECT state, count(*) FROM sync_to_sync
      WHERE scope_id = \(scopeID) AND (batch_id IS NULL OR state = 'acked') GROUP BY state
      """
    ) { row in
      let state: OperationState = try row[0]
      switch state {
      case .pending, .closed, .ready: unsealed += try row[1]
      case .sealed, .confirmed: sealed += try row[1]
      case .acknowledged: acknowledged += try row[1]
      }
    }
    staged = try db.fetchValue(
      "SELECT count(*) FROM sync_to_execute WHERE scope_id = \(scopeID)")
    blocked = try db.fetchValue(
      """
      SELECT count(*) FROM sync_blocked b JOIN sync_table t ON t.name = b.table_name
      WHERE t.scope_id = \(scopeID)
      """)
    conflicts = try db.fetchValue(
      "SELECT count(*) FROM sync_conflict WHERE scope_id = \(scopeID) AND state = 'open'")
  }
}
