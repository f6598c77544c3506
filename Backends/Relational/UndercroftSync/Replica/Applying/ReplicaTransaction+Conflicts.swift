import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// Stores a conflict of the server, and replaces an earlier description of the same conflict.
  ///
  /// The server omits values that are too large for a page. The values that this replica has stored
  /// for the conflict remain.
  func store(_ conflict: SyncConflict) throws {
    var conflict = conflict
    if !conflict.hasValues, let stored = try storedConflict(conflict.conflictIdentifier) {
      (conflict.values, conflict.increments) = (stored.values, stored.increments)
    }
    try db.execute(
      """
      INSERT INTO sync_conflict(conflict_id, scope_id, kind, table_name, identifier,
        operation_identifier, policy, body, base_version, created_ms, state, resolved_by)
      VALUES (\(conflict.conflictIdentifier.text), \(scopeID), \(conflict.kind.rawValue),
        \(conflict.table), \(conflict.dataIdentifier.text), \(conflict.operationIdentifier.text),
        \(conflict.policy), \(WireForm.storedText(conflict.json)), \(conflict.version),
        \(environment.now()), \(conflict.resolvedBy == nil ? "open" : "resolved"),
        \(conflict.resolvedBy?.text))
      ON CONFLICT(conflict_id) DO UPDATE SET policy = excluded.policy, body = excluded.body,
        base_version = excluded.base_version,
        -- An answer of this replica that the server has not received remains an answer.
        state = CASE excluded.state WHEN 'resolved' THEN 'resolved' ELSE state END,
        resolved_by = coalesce(excluded.resolved_by, resolved_by)
      """)
  }

  /// Removes an operation from the queue, and stores its values as a conflict.
  ///
  /// The visible row no longer contains the operation.
  func park(
    _ localID: Int64, of record: TrackedRecord, _ kind: SyncConflict.Kind, message: String? = nil
  ) throws {
    try materialise(record)
    let base = try pulledRow(record)
    try storeConflict(localID, kind, message: message)
    try remove(localID, of: record)
    try rebuildOrBlock(record, over: base)
  }

  /// Stores the values of an operation that the server has not applied as a conflict.
  ///
  /// The change of the operation must have been computed with ``materialise(_:)``.
  func storeConflict(
    _ localID: Int64, _ kind: SyncConflict.Kind, message: String? = nil
  ) throws {
    // An answer to a conflict that changes nothing has no values that could be lost.
    guard let operation = try sealedOperation(localID), !operation.change.isEmpty else { return }
    let conflict = SyncConflict(parking: operation, by: state.replica, kind, message: message)
    // A page can have brought the server's description of the same conflict.
    guard var known = try storedConflict(conflict.conflictIdentifier) else {
      return try store(conflict)
    }
    guard !known.hasValues, conflict.hasValues else { return }
    (known.values, known.increments) = (conflict.values, conflict.increments)
    try store(known)
  }

  /// Returns the stored description of a conflict about an operation, or `nil` if there is none.
  func storedConflict(_ identifier: ConflictIdentifier) throws -> SyncConflict? {
    let body: String? = try db.fetchOne(
      """
      SELECT body FROM sync_conflict
      WHERE scope_id = \(scopeID) AND conflict_id = \(identifier.text) AND kind <> 'blocked'
      """
    ) { row in try row[0] }
    guard let body else { return nil }
    let stored = "stored conflict \(quoted(identifier.text))"
    let json = try WireForm.stored(body, of: stored)
    do throws(WireError) { return try SyncConflict(json: json, isLocal: true) } catch {
      throw error.storageError(decoding: stored, isStored: true)
    }
  }
}

extension SyncConflict {
  fileprivate var hasValues: Bool { !values.isEmpty || !increments.isEmpty }

  /// Creates the conflict with all values of an operation that is not applied.
  init(
    parking operation: SyncOperation, by replica: ReplicaIdentifier, _ kind: Kind, message: String?
  ) {
    let author = ChangeAuthor(replica: replica, hybridTimestamp: operation.hybridTimestamp)
    self.init(
      conflictIdentifier: .derived(from: operation.operationIdentifier, kind), kind: kind,
      policy: nil, table: operation.table, dataIdentifier: operation.dataIdentifier,
      operationIdentifier: operation.operationIdentifier, change: operation.change.kind,
      operationAuthor: author, rowAuthor: nil,
      values: operation.change.values.mapValues { AuthoredValue(value: $0, author: author) },
      increments: operation.change.increments.filter { $0.value != 0 },
      version: operation.knowledge.base, message: message)
  }
}
