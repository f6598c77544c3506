import UndercroftCore

extension PacketTransaction {
  /// The maximum number of rows, and of their bytes, that are read at once.
  private static let pageLimit = StoreLimit(count: 10_000, bytes: 4 << 20)

  /// Applies an operation to the rows that meet its condition, and decides about each row by the
  /// policies of the table.
  ///
  /// The result has the version of the first row that changes. A completed pull that contains this
  /// version also contains all other effects, because the versions of a packet become visible
  /// together.
  mutating func process(_ batch: SyncOperation, _ selection: RowSelection) throws {
    let isStale =
      batch.knowledge.earliestVersion < scope.floor && !isSwitchedOff(.noStaleness)
    let first = try isStale ? dismissAll(batch, selection) : apply(batch, selection)
    let entry = LedgerEntry(
      address: batch.address, status: isStale ? .stale : .applied, version: first)
    let stored = StoredOperation(
      operationIdentifier: batch.operationIdentifier, replica: packet.replica,
      sequence: batch.sequence, processedAt: scope.head, receivedAt: now, body: entry.body)
    try transaction.put(stored)
    results.append(entry.result(of: stored))
  }

  /// Stores a conflict for each row that the batch changed on the device that created the batch,
  /// and returns 0, because no row changes on the server.
  ///
  /// The server may have applied the batch before and removed it from the ledger. The server does
  /// not apply it now, because other rows can meet the condition than before.
  private mutating func dismissAll(
    _ batch: SyncOperation, _ selection: RowSelection
  ) throws -> Int64 {
    for row in selection.identifiers {
      let operation = batch.derived(for: row)
      let record = try record(at: operation.address)
      try finish(operation, resolver().dismiss(operation, on: record, .stale, .stale))
    }
    return 0
  }

  private mutating func apply(_ batch: SyncOperation, _ selection: RowSelection) throws -> Int64 {
    var missing = Set(selection.identifiers)
    var first: Int64 = 0
    var last: DataIdentifier?
    while true {
      let rows = try transaction.records(in: batch.table, after: last, limit: Self.pageLimit)
      guard let end = rows.last else { break }
      last = end.dataIdentifier
      for stored in rows {
        let isSelected = missing.remove(stored.dataIdentifier) != nil
        guard isSelected || !stored.isDeleted else { continue }
        let record = try ServerRecord(stored)
        let matches = selection.condition.matches(record.fields, stored.dataIdentifier)
        guard isSelected || matches else { continue }
        let operation = batch.derived(for: stored.dataIdentifier)
        let version = try apply(operation, to: record, meetingCondition: matches)
        if first == 0 { first = version }
      }
    }
    for row in missing.sorted() {
      for decision in try decide([batch.derived(for: row)]) { try finish(decision) }
    }
    return first
  }

  /// Applies the part of an operation that concerns one row, and returns the new version of the
  /// row, or 0 if it does not change.
  private mutating func apply(
    _ operation: SyncOperation, to record: ServerRecord, meetingCondition matches: Bool
  ) throws -> Int64 {
    let change = operation.change
    if change.kind == .delete, record.isDeleted { return 0 }
    guard matches else {
      try finish(
        operation, resolver().dismiss(operation, on: record, .lost, .conditionNotMet))
      return 0
    }
    let isUnchanged =
      change.kind == .update && !record.isDeleted
      && change.values.allSatisfy { record.fields[$0.key] ?? .null == $0.value.stored }
    if isUnchanged { return 0 }
    var version: Int64 = 0
    for decision in try decide([operation]) {
      try finish(decision)
      version = decision.resolution.version
    }
    return version
  }

  private mutating func finish(_ operation: SyncOperation, _ resolution: Resolution) throws {
    let decision = OperationDecision(operation, resolution)
    try finish(decision.fitsIntoPage ? decision : decision.withoutLargeValues)
  }

  private mutating func finish(_ decision: OperationDecision) throws {
    try store(decision)
    try storeConflicts([decision])
  }
}
