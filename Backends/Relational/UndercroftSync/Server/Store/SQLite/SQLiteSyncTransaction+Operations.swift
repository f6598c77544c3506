import UndercroftFoundation
import UndercroftSQLite

extension SQLiteSyncTransaction {
  func operation(_ operation: OperationIdentifier) throws -> StoredOperation? {
    try db.prepare(
      """
      SELECT operation, replica, sequence, processed_at, received_ms, body FROM sync_operation
        WHERE scope_id = ? AND operation = ?
      """
    ) { select in
      try select.bind(scopeNumber, at: 1)
      try select.bind(operation.text, at: 2)
      return try select.fetchOne(Self.readOperation)
    }
  }

  func operation(of replica: ReplicaIdentifier, at sequence: Int64) throws -> StoredOperation? {
    try db.prepare(
      """
      SELECT operation, replica, sequence, processed_at, received_ms, body FROM sync_operation
        WHERE scope_id = ? AND replica = ? AND sequence = ?
      """
    ) { select in
      try select.bind(scopeNumber, at: 1)
      try select.bind(replica.text, at: 2)
      try select.bind(sequence, at: 3)
      return try select.fetchOne(Self.readOperation)
    }
  }

  func operations(
    of replica: ReplicaIdentifier, after first: Int64, through last: Int64, limit: StoreLimit
  ) throws -> [StoredOperation] {
    try db.prepare(
      """
      SELECT operation, replica, sequence, processed_at, received_ms, body FROM sync_operation
        WHERE scope_id = ? AND replica = ? AND sequence > ? AND sequence <= ? ORDER BY sequence
      """
    ) { select in
      try select.bind(scopeNumber, at: 1)
      try select.bind(replica.text, at: 2)
      try select.bind(first, at: 3)
      try select.bind(last, at: 4)
      var found: [StoredOperation] = []
      var bytes = 0
      try select.forEachUntil { row in
        if limit.isReached(count: found.count, bytes: bytes) { return .stop }
        let operation = try Self.readOperation(row)
        bytes += operation.body.count
        found.append(operation)
        return .continue
      }
      return found
    }
  }

  private static func readOperation(_ row: borrowing Row) throws -> StoredOperation {
    let replica: String? = try row[1]
    return StoredOperation(
      operationIdentifier: OperationIdentifier(try row[0]),
      replica: replica.map { ReplicaIdentifier($0) }, sequence: try row[2],
      processedAt: try row[3], receivedAt: try row[4], body: try row[5])
  }

  func version(receivedBy time: Int64) throws -> Int64 {
    // The index contains both columns, so the newest operations are skipped without their rows.
    try db.fetchOne(
      """
      SELECT processed_at FROM sync_operation
        WHERE scope_id = \(scopeNumber) AND received_ms <= \(time)
        ORDER BY processed_at DESC LIMIT 1
      """
    ) { row in try row[0] } ?? 0
  }

  func put(_ operation: StoredOperation) throws {
    try db.prepare(
      """
      INSERT INTO sync_operation(
          scope_id, operation, replica, sequence, processed_at, received_ms, body)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT(scope_id, operation) DO UPDATE SET replica = excluded.replica,
          sequence = excluded.sequence, processed_at = excluded.processed_at,
          received_ms = excluded.received_ms, body = excluded.body
      """
    ) { insert in
      try insert.bind(scopeNumber, at: 1)
      try insert.bind(operation.operationIdentifier.text, at: 2)
      try insert.bind(operation.replica?.text, at: 3)
      try insert.bind(operation.sequence, at: 4)
      try insert.bind(operation.processedAt, at: 5)
      try insert.bind(operation.receivedAt, at: 6)
      try insert.bind(operation.body, at: 7)
      try insert.run()
    }
  }

  func removeOperations(through version: Int64) throws -> Int {
    try db.execute(
      """
      DELETE FROM sync_operation
        WHERE scope_id = \(scopeNumber) AND processed_at <= \(version)
      """)
  }
}
