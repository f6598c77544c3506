import UndercroftCore
import UndercroftSQLite

// A batch is one operation in the queue that belongs to no record. Its effects on single rows are
// stored as members: operations of one record each, which are never sent, and which receive the
// result of the batch.

extension ReplicaTransaction {
  /// Changes all rows that meet a condition in one operation, and returns the identifier of the
  /// operation.
  func perform(
    _ change: RowOperation.Change, _ table: CapturedTable, _ condition: RowCondition,
    _ action: String
  ) throws -> OperationIdentifier? {
    var values: FieldValues?
    if case .update(let new) = change { values = new }
    // Earlier captured changes must not be combined with later ones, because the batch would then
    // be sent before the earlier changes.
    try materialiseAll(of: table)
    let keys = try matchingKeys(condition, of: table)
    guard keys.count <= SyncLimits.selectedRows else {
      throw StorageError.cannotPerform(
        action,
        "\(keys.count) rows meet the condition, but the maximum is \(SyncLimits.selectedRows) rows",
        suggestion: """
          use several operations, each with a condition that at most \(SyncLimits.selectedRows) \
          rows meet
          """)
    }
    let knowledge = try versionSeen(of: table, writing: values.map { Set($0.keys) })
    let batchID = try insertBatch(of: table, seen: knowledge)
    let identifier = try operationIdentifier(batchID)
    var rows: [DataIdentifier] = []
    for key in keys {
      guard let record = try record(of: table, key: key), let row = record.dataIdentifier,
        try performMember(values, on: record, row, of: batchID, identifier)
      else { continue }
      rows.append(row)
    }
    let operation = SyncOperation(
      operationIdentifier: identifier, sequence: 0, table: table.name,
      dataIdentifier: DataIdentifier(identifier.text),
      change: values.map { .update($0) } ?? .delete, timestamp: 0, hybridTimestamp: .zero)
    let payload = operation.batchPayload(RowSelection(condition, identifiers: rows))
    try db.execute(
      """
      UPDATE sync_to_sync SET payload = \(WireForm.storedText(payload)) WHERE local_id = \(batchID)
      """)
    return identifier
  }

  private func materialiseAll(of table: CapturedTable) throws {
    let pending: [Int64] = try db.fetchAll(
      """
      SELECT DISTINCT record_id FROM sync_to_sync
      WHERE table_id = \(table.tableID) AND state IN ('pending', 'closed') ORDER BY record_id
      """
    ) { row in try row[0] }
    for recordID in pending {
      if let record = try record(recordID) { try materialise(record) }
    }
  }

  /// Returns the keys of the rows that meet a condition.
  private func matchingKeys(
    _ condition: RowCondition, of table: CapturedTable
  ) throws -> [SyncValue] {
    let columns = table.syncedColumns.map { "\(identifier: $0.name)" as SQL }
    let references = referenceColumns(of: table).map(\.0)
    let comparesReference = references.contains { condition.columns.contains($0) }
    var keys: [SyncValue] = []
    try db.forEach(
      """
      SELECT \((columns + ["\(identifier: table.keyColumn)"]).joined(separator: ", "))
      FROM main.\(identifier: table.name) ORDER BY \(identifier: table.keyColumn)
      """
    ) { row in
      var fields = try table.values(of: row)
      let key = (try row[columns.count] as StoredValue).value
      if comparesReference { fields = try wire(fields, of: table) }
      let identifier =
        try table.identity == .integer
        ? record(of: table, key: key)?.dataIdentifier : table.identity.dataIdentifier(ofKey: key)
      if let identifier, condition.matches(fields, identifier) { keys.append(key) }
    }
    return keys
  }

  /// Returns the greatest version up to which the user of this replica has seen the given columns
  /// in all rows of a table.
  ///
  /// If an unsent change of the user replaces a pulled value, the user has not seen the pulled
  /// value. Nor has the user seen a pulled row that violates a constraint of this database.
  ///
  /// - Parameter columns: the columns that the batch writes, or `nil` if it deletes rows.
  private func versionSeen(
    of table: CapturedTable, writing columns: Set<ExactString>?
  ) throws -> Int64 {
    var seen = state.appliedCursor
    let blocked: Int64? = try db.fetchValue(
      "SELECT min(version) FROM sync_blocked WHERE table_name = \(table.name)")
    if let blocked { seen = min(seen, blocked - 1) }
    try db.forEach(
      """
      SELECT o.kind, o.payload, o.base FROM sync_to_sync o
        JOIN sync_record r ON r.record_id = o.record_id
      WHERE o.table_id = \(table.tableID) AND o.state IN ('ready', 'sealed', 'acked')
        AND o.base < \(seen) AND r.version > 0
      """
    ) { row in
      let change = try OperationChange(
        kind: try row[0], storedPayload: try row[1],
        of: "queued operation of the table \(quoted(table.name))")
      let isHiding =
        change.kind != .update || columns.map { !$0.isDisjoint(with: change.values.keys) } ?? true
      if isHiding { seen = min(seen, try row[2]) }
    }
    return max(0, seen)
  }

  private func insertBatch(of table: CapturedTable, seen: Int64) throws -> Int64 {
    try db.execute(
      """
      INSERT INTO sync_to_sync(scope_id, table_id, record_id, operation_identifier, state, kind,
        payload, base, seen, base_cursor, known_head, timestamp, hlc, schema_version)
      SELECT \(scopeID), \(table.tableID), 0, \(newIdentifier()), 'ready', \(batchKind), '{}',
        \(seen), \(seen), \(state.appliedCursor), s.head, \(Self.time), \(Self.timestamp),
        \(schemaVersion)
      FROM sync_clock c, sync_scope s WHERE s.scope_id = \(scopeID)
      """)
    let batchID = db.lastInsertedRowID
    // The operations on the rows get later timestamps than the batch.
    try advanceClock(past: batchID)
    return batchID
  }

  /// Changes one row, and returns whether the change has become a member of the batch.
  private func performMember(
    _ values: FieldValues?, on record: TrackedRecord, _ row: DataIdentifier, of batchID: Int64,
    _ batch: OperationIdentifier
  ) throws -> Bool {
    let localID = try values.map { try write($0, to: record) } ?? perform(nil, on: record)
    guard let localID, let current = try self.record(record.recordID),
      let captured = try operations(of: current).first(where: { $0.localID == localID })?.change,
      (captured.kind == .delete) == (values == nil)
    else { return false }
    let member = OperationIdentifier.derived(from: batch, table: record.table.name, row)
    let change = values.map { OperationChange.update($0) } ?? .delete
    // Additional changes by triggers of the application become a separate operation.
    var others = captured
    others.values = captured.values.filter { change.values[$0.key] != $0.value }
    let base = try pulledRow(current)
    try db.execute(
      """
      UPDATE sync_to_sync SET operation_identifier = \(SQL(unchecked: "x'\(member.text)'")),
        batch_id = \(batchID), kind = \(change.kind.rawValue), payload = \(change.storedPayload),
        absorbed = NULL
      WHERE local_id = \(localID)
      """)
    guard values != nil else { return true }
    if !others.values.isEmpty || others.hasIncrements {
      try append(.update(others.values, increments: others.increments), to: current, over: base)
    } else if captured.values != change.values {
      try rebuildOrBlock(current, over: base)
    }
    return true
  }

  // MARK: Members

  /// The part of a batch that changes one record, and that is not sent.
  struct BatchMember {
    let localID: Int64
    let recordID: Int64
    let state: OperationState
  }

  /// Returns the members of a batch that are in the queue.
  func members(ofBatch batchID: Int64) throws -> [BatchMember] {
    try db.fetchAll(
      """
      SELECT local_id, record_id, state FROM sync_to_sync WHERE batch_id = \(batchID)
      ORDER BY local_id
      """
    ) { row in BatchMember(localID: try row[0], recordID: try row[1], state: try row[2]) }
  }

  /// Applies a result of the server to a batch and to its members.
  func accept(_ result: OperationResult, ofBatch batchID: Int64) throws {
    for member in try members(ofBatch: batchID) {
      try accept(result, of: member.localID, member.recordID, member.state)
    }
    let decision = ResultDecision(
      result, state: .sealed, recordVersion: nil, consistentCursor: state.consistentCursor)
    guard case .isAcknowledged(let version) = decision, !state.isOneWay else {
      try removeFromQueue(batchID)
      return
    }
    // The batch remains in the queue, to be sent again if the server loses its history.
    try db.execute(
      """
      UPDATE sync_to_sync SET state = 'acked', server_version = \(version)
      WHERE local_id = \(batchID)
      """)
  }

  /// Removes from the queue a batch that cannot be sent, and stores a conflict for each of its
  /// rows.
  func parkBatch(_ batchID: Int64, message: String) throws {
    for member in try members(ofBatch: batchID) {
      guard let record = try record(member.recordID) else { continue }
      try park(member.localID, of: record, .rejected, message: message)
    }
    try removeFromQueue(batchID)
  }
}
