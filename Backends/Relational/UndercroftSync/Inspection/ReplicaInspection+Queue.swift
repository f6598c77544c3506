import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

extension ReplicaInspection {
  /// Returns at most `limit` operations of all scopes that were not confirmed, oldest first.
  func queue(limit: Int?) throws -> [InspectedSyncEntry] {
    var rest = limit ?? .max
    var entries: [InspectedSyncEntry] = []
    for scope in try scopeNames() where rest > 0 {
      let found = try operations(of: scope, limit: rest)
      rest -= found.count
      entries += found
    }
    return entries
  }

  private func operations(
    of scope: ScopeIdentifier, limit: Int
  ) throws -> [InspectedSyncEntry] {
    let transaction = try transaction(of: scope)
    // The values of several operations of one record are computed together.
    var explained: (record: Int64, operations: [RecordExplanation.Operation])?
    return try stored(in: transaction, limit: limit).map { stored in
      var entry = stored.entry(scope)
      guard let record = try transaction.record(stored.record) else { return entry }
      if explained?.record != stored.record {
        explained = (stored.record, try transaction.explainedOperations(of: record))
      }
      let operation = explained?.operations.first {
        $0.operationIdentifier.text.isExactly(stored.name)
      }
      entry.change = operation?.kind.rawValue ?? stored.kind
      entry.values = operation?.inspectedValues
      return entry
    }
  }

  /// The columns of a queued operation that an inspection shows.
  private struct QueuedRow {
    let name: String
    let record: Int64
    let table: String
    let row: String?
    let state: OperationState
    let kind: String?
    let time: Int64
    let attempts: Int64
    let byteCount: Int64?
    let batch: Int64?
    let group: String?

    func entry(_ scope: ScopeIdentifier) -> InspectedSyncEntry {
      var entry = InspectedSyncEntry(.operation, scope: scope.text, table: table, row: row)
      entry.identifier = name
      entry.change = record == 0 ? "batch" : kind
      entry.state = state.progress.rawValue
      (entry.time, entry.attempts, entry.byteCount) = (time, attempts, byteCount)
      let facts = [batch.map { "part of batch \($0)" }, group.map { "group \($0)" }]
      let known = facts.compactMap { $0 }
      entry.message = known.isEmpty ? nil : known.joined(separator: ", ")
      return entry
    }
  }

  private func stored(
    in transaction: ReplicaTransaction, limit: Int
  ) throws -> [QueuedRow] {
    try db.fetchAll(
      """
      SELECT lower(hex(o.operation_identifier)), o.record_id, o.table_id, o.state, o.kind,
        o.timestamp, o.attempts, length(CAST(o.payload AS BLOB)), o.batch_id, o.group_id
      FROM sync_to_sync o WHERE o.scope_id = \(transaction.scopeID) ORDER BY o.local_id
      LIMIT \(limit)
      """
    ) { row in
      let (record, tableID) = (try row[1] as Int64, try row[2] as Int64)
      return QueuedRow(
        name: try row[0], record: record,
        table: transaction.tablesByID[tableID]?.name ?? "table \(tableID)",
        row: try transaction.record(record)?.dataIdentifier?.text, state: try row[3],
        kind: try row[4], time: try row[5], attempts: try row[6], byteCount: try row[7],
        batch: try row[8], group: try row[9])
    }
  }
}

extension RecordExplanation.Operation {
  /// The new values of columns, and the numbers that are added to counters.
  var inspectedValues: [ExactString: InspectedValue] {
    values.inspected.merging(increments.inspected) { value, _ in value }
  }
}
