import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// An operation that has no sequence number yet.
  private struct Unsealed {
    let localID: Int64
    let recordID: Int64
    let group: String?
  }

  /// Assigns sequence numbers to the oldest unsealed operations, and returns the number of
  /// operations that were sealed.
  ///
  /// An atomic group is sealed as a whole, even if it exceeds the limit.
  func seal(limit: Int) throws -> Int {
    var count = 0
    while count < limit, let next = try nextUnsealed() {
      guard try materialised(next) else { continue }
      guard let group = next.group else {
        count += try seal([next.localID])
        continue
      }
      let members = try unsealed(in: group)
      count += try seal(members.filter { try materialised($0) }.map(\.localID))
    }
    return count
  }

  /// The condition of an operation that has no sequence number yet.
  ///
  /// Sequence numbers are assigned in the order of the local numbers. So the query begins after the
  /// operation with the last sequence number, instead of reading all operations that wait for their
  /// results.
  private var isUnsealed: SQL {
    """
    scope_id = \(scopeID) AND batch_id IS NULL
      AND (state IN ('pending', 'closed', 'ready') OR (state = 'confirmed' AND sequence IS NULL))
      AND local_id > coalesce((
        SELECT local_id FROM sync_to_sync WHERE scope_id = \(scopeID) AND sequence IS NOT NULL
        ORDER BY sequence DESC LIMIT 1), 0)
    """
  }

  private func nextUnsealed() throws -> Unsealed? {
    try db.fetchOne(
      """
      SELECT local_id, record_id, group_id FROM sync_to_sync
      WHERE \(isUnsealed) ORDER BY local_id LIMIT 1
      """
    ) { row in Unsealed(localID: try row[0], recordID: try row[1], group: try row[2]) }
  }

  private func unsealed(in group: String) throws -> [Unsealed] {
    try db.fetchAll(
      """
      SELECT local_id, record_id, group_id FROM sync_to_sync
      WHERE \(isUnsealed) AND group_id = \(group) ORDER BY local_id
      """
    ) { row in Unsealed(localID: try row[0], recordID: try row[1], group: try row[2]) }
  }

  /// Computes the change of an operation, and returns whether the operation remains in the queue.
  ///
  /// An operation without an effect is removed from the queue.
  private func materialised(_ operation: Unsealed) throws -> Bool {
    guard operation.recordID != 0 else { return true }
    guard let record = try record(operation.recordID) else {
      try removeFromQueue(operation.localID)
      return false
    }
    try materialise(record)
    let state: OperationState? = try db.fetchOne(
      "SELECT state FROM sync_to_sync WHERE local_id = \(operation.localID)"
    ) { row in try row[0] }
    guard let state else { return false }
    guard !state.isCaptured else {
      throw StorageError(
        .corrupted,
        """
        cannot send the queued operation \(operation.localID) of the table \
        \(quoted(record.table.name)): the column "pending" of the table \
        \(quoted(record.table.shadowTable)) does not contain the number \(operation.localID)
        """,
        suggestion: """
          do not change tables whose names begin with "sync_"; to discard the changes that were not \
          sent, call disable() of the SyncEngine, and create the engine again
          """,
        backend: "sync")
    }
    return true
  }

  /// Seals operations that are sent together, and returns the number of sealed operations.
  ///
  /// If no packet can contain the operations, they become conflicts, and the result is 0.
  private func seal(_ localIDs: [Int64]) throws -> Int {
    let operations = try localIDs.map { (localID: $0, operation: try sealedOperation($0)) }
    if let reason = try refusal(of: operations.map(\.operation)) {
      for (localID, _) in operations { try park(localID, message: reason) }
      return 0
    }
    for case (let localID, let operation?) in operations {
      let before = state.chain
      state.chain.append(operation.operationIdentifier)
      try db.execute(
        """
        UPDATE sync_to_sync SET sequence = \(state.chain.count),
          state = CASE state WHEN 'confirmed' THEN 'confirmed' ELSE 'sealed' END,
          dependency_identifier = \(before.lastOperation?.text),
          dependency_chain = \(before.hash?.digits)
        WHERE local_id = \(localID)
        """)
      if operation.selection != nil {
        try db.execute(
          """
          UPDATE sync_to_sync SET state = 'sealed'
          WHERE batch_id = \(localID) AND state = 'ready'
          """)
      }
    }
    return operations.count
  }

  private func park(_ localID: Int64, message: String) throws {
    let recordID: Int64? = try db.fetchValue(
      "SELECT record_id FROM sync_to_sync WHERE local_id = \(localID)")
    try log("parked", message)
    if recordID == 0 { return try parkBatch(localID, message: message) }
    guard let recordID, let record = try record(recordID) else { return }
    try park(localID, of: record, .rejected, message: message)
  }

  /// Returns the reason why no packet can contain the operations, or `nil` if a packet can.
  private func refusal(of operations: [SyncOperation?]) throws -> String? {
    guard operations.count <= max(1, limits.operations) else {
      return "the atomic group has \(operations.count) operations, and the maximum is "
        + "\(limits.operations)"
    }
    var bytes = 0
    for operation in operations {
      guard let operation else { continue }
      let names = [
        ("name of the table", operation.table),
        ("identifier of the row", operation.dataIdentifier.text),
      ]
      for (object, name) in names {
        do throws(WireError) { try WireForm.validate(name: name) } catch {
          let row = quoted(WireError.shortened(operation.dataIdentifier.text))
          let table = quoted(WireError.shortened(operation.table))
          return "the row \(row) of the table \(table) cannot be sent, because of the \(object): "
            + error.reason
        }
      }
      bytes += try encrypted(operation).byteCount
    }
    guard bytes <= PacketSplitter.maximumOperationBytes else {
      return "the operation, or its atomic group, has \(bytes) bytes, and the maximum is "
        + "\(PacketSplitter.maximumOperationBytes)"
    }
    return nil
  }
}

extension SyncOperation {
  /// The number of bytes of the operation in a packet.
  var byteCount: Int { JSONWriter.data(json).count }
}
