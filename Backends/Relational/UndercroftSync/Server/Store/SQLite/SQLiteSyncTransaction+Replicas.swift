import UndercroftFoundation
import UndercroftSQLite

extension SQLiteSyncTransaction {
  func replica(_ replica: ReplicaIdentifier) throws -> StoredReplica? {
    try db.prepare(
      """
      SELECT replica, account, last_sequence, last_operation, chain, applied_cursor,
          results_through, schema_version, last_seen_ms
        FROM sync_replica WHERE scope_id = ? AND replica = ?
      """
    ) { select in
      try select.bind(scopeNumber, at: 1)
      try select.bind(replica.text, at: 2)
      return try select.fetchOne(Self.readReplica)
    }
  }

  func replicas() throws -> [StoredReplica] {
    try db.fetchAll(
      """
      SELECT replica, account, last_sequence, last_operation, chain, applied_cursor,
          results_through, schema_version, last_seen_ms
        FROM sync_replica WHERE scope_id = \(scopeNumber)
      """, Self.readReplica)
  }

  private static func readReplica(_ row: borrowing Row) throws -> StoredReplica {
    let operation: String? = try row[3]
    return StoredReplica(
      replica: ReplicaIdentifier(try row[0]), account: try row[1], lastSequence: try row[2],
      lastOperation: operation.map { OperationIdentifier($0) }, chain: try row[4],
      appliedCursor: try row[5], resultsThrough: try row[6], schemaVersion: try row[7],
      lastSeen: try row[8])
  }

  func put(_ replica: StoredReplica) throws {
    try db.prepare(
      """
      INSERT INTO sync_replica(scope_id, replica, account, last_sequence, last_operation, chain,
          applied_cursor, results_through, schema_version, last_seen_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET account = excluded.account,
          last_sequence = excluded.last_sequence, last_operation = excluded.last_operation,
          chain = excluded.chain, applied_cursor = excluded.applied_cursor,
          results_through = excluded.results_through, schema_version = excluded.schema_version,
          last_seen_ms = excluded.last_seen_ms
      """
    ) { insert in
      try insert.bind(scopeNumber, at: 1)
      try insert.bind(replica.replica.text, at: 2)
      try insert.bind(replica.account, at: 3)
      try insert.bind(replica.lastSequence, at: 4)
      try insert.bind(replica.lastOperation?.text, at: 5)
      try insert.bind(replica.chain, at: 6)
      try insert.bind(replica.appliedCursor, at: 7)
      try insert.bind(replica.resultsThrough, at: 8)
      try insert.bind(replica.schemaVersion, at: 9)
      try insert.bind(replica.lastSeen, at: 10)
      try insert.run()
    }
  }

  func removeReplica(_ replica: ReplicaIdentifier) throws {
    try db.execute(
      """
      DELETE FROM sync_replica WHERE scope_id = \(scopeNumber) AND replica = \(replica.text)
      """)
    try db.execute(
      """
      UPDATE sync_operation SET replica = NULL, sequence = NULL
        WHERE scope_id = \(scopeNumber) AND replica = \(replica.text)
      """)
  }
}
