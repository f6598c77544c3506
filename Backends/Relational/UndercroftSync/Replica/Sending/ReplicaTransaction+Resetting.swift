import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// Changes the state and the queue as ``RefusalDecision`` requires for a refusal of the server.
  func accept(_ refusal: SyncRefusal) throws {
    switch RefusalDecision(refusal, state: state) {
    case .waits: return
    case .reidentifies: try reidentify("forked")
    case .resetsTimeline(let epoch): try resetTimeline(to: epoch)
    case .startsSnapshot(let epoch): try startSnapshot(of: epoch)
    case .parks(let operation):
      try park(
        operation,
        message: "the server has another operation with the identifier \(quoted(operation.text))")
    }
  }

  /// Assigns a new identifier and an empty operation chain to the replica.
  ///
  /// All operations without a result are sealed again. They retain their identifiers, by which the
  /// server recognises the operations that it has already applied.
  ///
  /// - Parameter reason: the reason that is written to `sync_log`.
  func reidentify(_ reason: String) throws {
    try log("reidentified", reason)
    state.replica = ReplicaIdentifier(environment.makeIdentifier())
    state.chain = OperationChain()
    state.resultsThrough = 0
    // A confirmed operation remains confirmed, because the pulled row contains it.
    try db.execute(
      """
      UPDATE sync_to_sync SET sequence = NULL, dependency_identifier = NULL,
        dependency_chain = NULL, state = CASE state WHEN 'sealed' THEN 'ready' ELSE state END
      WHERE scope_id = \(scopeID) AND (sequence IS NOT NULL OR state = 'sealed')
      """)
  }

  /// Discards the stored pages, and begins to pull all rows of the scope.
  ///
  /// The operations of the replica remain in the queue.
  func startSnapshot(of epoch: Epoch) throws {
    try log("snapshot", epoch.text)
    try db.execute("DELETE FROM sync_to_execute WHERE scope_id = \(scopeID)")
    try removeSeen()
    state.epoch = epoch
    state.downloadCursor = 0
    state.appliedCursor = 0
    state.consistentCursor = 0
    state.mode = .snapshot
    state.snapshotFloor = nil
    state.generation &+= 1
  }

  /// Begins to pull a snapshot of a server that begins a new epoch, such as after it was restored
  /// from a backup.
  ///
  /// The versions of all rows are cleared, because versions of two epochs cannot be compared.
  /// Operations that the server acknowledged in the former epoch are sent again.
  func resetTimeline(to epoch: Epoch) throws {
    guard state.epoch != nil else { return try startSnapshot(of: epoch) }
    try startSnapshot(of: epoch)
    state.head = 0
    for table in tables.values {
      try db.execute("UPDATE sync_record SET version = 0 WHERE table_id = \(table.tableID)")
      try db.execute("UPDATE sync_blocked SET version = 0 WHERE table_name = \(table.name)")
    }
    try db.execute("UPDATE sync_extra SET version = 0 WHERE scope_id = \(scopeID)")
    // A member whose batch has left the queue is sent as a separate operation.
    try db.execute(
      """
      UPDATE sync_to_sync SET batch_id = NULL WHERE batch_id NOT IN (
        SELECT local_id FROM sync_to_sync WHERE record_id = 0)
      """)
    try db.execute(
      """
      UPDATE sync_to_sync SET base = CASE WHEN base IS NULL THEN NULL ELSE 0 END, seen = 0,
        base_cursor = min(base_cursor, 0), known_head = 0, server_version = NULL,
        state = CASE state WHEN 'acked' THEN 'ready' ELSE state END
      WHERE scope_id = \(scopeID)
      """)
    try restoreConfirmed()
    try reidentify("timeline")
  }

  /// Applies confirmed operations to the visible rows again, and makes them ready to be sealed.
  ///
  /// The rows of another history need not contain the effects of these operations.
  private func restoreConfirmed() throws {
    let confirmed = try db.fetchAll(
      """
      SELECT local_id, record_id FROM sync_to_sync
      WHERE scope_id = \(scopeID) AND state = 'confirmed' ORDER BY local_id
      """
    ) { row in (localID: try row[0] as Int64, recordID: try row[1] as Int64) }
    for (localID, recordID) in confirmed {
      guard let record = try record(recordID) else { continue }
      try materialise(record)
      let base = try pulledRow(record)
      try db.execute("UPDATE sync_to_sync SET state = 'ready' WHERE local_id = \(localID)")
      try rebuildOrBlock(record, over: base)
    }
  }

  /// Removes from the queue a sealed operation that the server can never accept, and stores the
  /// values of the operation as a conflict.
  ///
  /// The removal leaves a gap in the chain of sealed operations, and the server accepts no
  /// operations after a gap. So the replica gets a new identity, under which the remaining
  /// operations are sealed again. If the queue contains no sealed operation with this identifier,
  /// the call has no effect.
  func park(_ operation: OperationIdentifier, message: String) throws {
    let found = try db.fetchOne(
      """
      SELECT local_id, group_id FROM sync_to_sync WHERE scope_id = \(scopeID)
        AND sequence IS NOT NULL AND state IN ('sealed', 'confirmed')
        AND lower(hex(operation_identifier)) = \(operation.text)
      """
    ) { row in (localID: try row[0] as Int64, group: try row[1] as String?) }
    guard let found else { return }
    let members = try db.fetchAll(
      """
      SELECT local_id, record_id FROM sync_to_sync WHERE scope_id = \(scopeID)
        AND (local_id = \(found.localID) OR group_id = \(found.group)) AND sequence IS NOT NULL
        AND state IN ('sealed', 'confirmed') ORDER BY local_id
      """
    ) { row in (localID: try row[0] as Int64, recordID: try row[1] as Int64) }
    for (localID, recordID) in members {
      // A batch belongs to no record, so its record number is 0.
      if recordID == 0 {
        try parkBatch(localID, message: message)
      } else if let record = try record(recordID) {
        try park(localID, of: record, .rejected, message: message)
      }
    }
    try reidentify("parked")
  }
}
