import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// Updates the queue according to the results of operations.
  ///
  /// Results for another identity of the replica or another history of the server are ignored.
  ///
  /// - Parameter sentAt: the time at which the packet was sent, in milliseconds since 1970, or
  ///   `nil` if it is unknown.
  func accept(_ results: PushResults, sentAt: Int64?) throws {
    guard results.replica == state.replica, results.epoch == state.epoch else { return }
    for result in results.results { try accept(result) }
    let open: Int64? = try db.fetchValue(
      """
      SELECT min(sequence) FROM sync_to_sync
      WHERE scope_id = \(scopeID) AND sequence IS NOT NULL AND state IN ('sealed', 'confirmed')
      """)
    state.resultsThrough = open.map { $0 &- 1 } ?? state.chain.count
    state.head = max(state.head, results.head)
    setServerTime(results.serverTime, sentAt: sentAt)
  }

  private func accept(_ result: OperationResult) throws {
    let found = try db.fetchOne(
      """
      SELECT local_id, record_id, state FROM sync_to_sync
      WHERE scope_id = \(scopeID) AND sequence = \(result.sequence)
        AND lower(hex(operation_identifier)) = \(result.operationIdentifier.text)
      """
    ) { row in
      (
        localID: try row[0] as Int64, recordID: try row[1] as Int64,
        state: try row[2] as OperationState
      )
    }
    guard let found else { return }
    if found.recordID == 0 { return try accept(result, ofBatch: found.localID) }
    try accept(result, of: found.localID, found.recordID, found.state)
  }

  /// Applies a result of the server to an operation of one record.
  func accept(
    _ result: OperationResult, of localID: Int64, _ recordID: Int64, _ operation: OperationState
  ) throws {
    guard let record = try record(recordID) else {
      try removeFromQueue(localID)
      return
    }
    let decision = ResultDecision(
      result, state: operation, recordVersion: record.version,
      consistentCursor: state.consistentCursor)
    switch decision {
    case .isIgnored: return
    case .isParked(.stale) where state.isOneWay:
      // The server may have the row, which a replica that never pulls would not receive again.
      try materialise(record)
      try storeConflict(localID, .stale)
      try absorb(localID, of: record)
    case .isParked(let kind):
      try park(localID, of: record, kind, message: result.rejection?.message)
    case .isAcknowledged where state.isOneWay, .leaves where isAbsorbed(result):
      try absorb(localID, of: record)
    case .isAcknowledged(let version) where !isSwitchedOff(.resultDropsOverlay):
      try materialise(record)
      try db.execute(
        """
        UPDATE sync_to_sync SET state = 'acked', server_version = \(version)
        WHERE local_id = \(localID)
        """)
      if isSwitchedOff(.resultBumpsVersion) {
        try db.execute(
          """
          UPDATE sync_record SET version = max(version, \(version))
          WHERE record_id = \(record.recordID)
          """)
      }
    case .leaves, .isAcknowledged:
      try materialise(record)
      let base = try pulledRow(record)
      try remove(localID, of: record)
      try rebuildOrBlock(record, over: base)
    }
  }

  /// Returns whether this replica never pulls, and the result reports that the server has applied
  /// the operation, or a later operation that contains it.
  private func isAbsorbed(_ result: OperationResult) -> Bool {
    state.isOneWay && (result.status == .applied || result.status == .absorbed)
  }

  /// Removes an operation of a one-way replica from the queue, and applies it to the stored copy of
  /// the server's row instead.
  ///
  /// A one-way replica never pulls the row that contains the effect of the operation.
  private func absorb(_ localID: Int64, of record: TrackedRecord) throws {
    try materialise(record)
    let operations = try operations(of: record).filter { $0.localID == localID }
    let base = try overlay(operations, of: record.table).overlay.fold(over: pulledRow(record))
    try remove(localID, of: record)
    try rebuildOrBlock(record, over: base)
  }
}
