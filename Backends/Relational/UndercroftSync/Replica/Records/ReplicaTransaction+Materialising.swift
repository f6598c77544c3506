import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

extension ReplicaTransaction {
  /// Computes the operations of the changes that triggers have captured for a record.
  ///
  /// Call this function before the operations or the version of the record change, because the
  /// captured changes are relative to the row that was visible before.
  func materialise(_ record: TrackedRecord) throws {
    let operations = try operations(of: record)
    let captured = operations.filter(\.state.isCaptured)
    guard !captured.isEmpty else { return }
    let shadow = try shadowRow(record)
    var overlay = try overlay(operations, of: record.table).overlay
    var before = overlay.fold(over: shadow)
    let base = operations.filter(\.state.isFolded).compactMap(\.base).reduce(record.version, min)
    let isNew = record.version == 0 && shadow == nil
    for operation in captured {
      let after =
        try operation.state == .closed
        ? imageRow(operation.localID, of: record.table) : visibleRow(record)
      if let change = try materialise(
        operation, of: record, from: before, to: after, base: base,
        hidden: overlay.hiddenColumns(of: record.table.syncedNames))
      {
        if change.kind == .insert, !isNew || operation.localID != operations.first?.localID {
          try forgetHead(operation.localID)
        }
        overlay.changes.append(change)
      } else {
        try remove(operation.localID, of: record)
      }
      before = after
    }
    try db.execute(
      """
      UPDATE \(identifier: record.table.shadowTable) SET pending = NULL
      WHERE record_id = \(record.recordID)
      """)
    try settle(record, overlay, over: shadow, visible: before)
  }

  /// Computes the change of one captured operation, and stores the change in the queue.
  ///
  /// - Returns: the change with references as keys of this database, or `nil` if the operation
  ///   changes nothing.
  private func materialise(
    _ operation: QueuedOperation, of record: TrackedRecord, from before: FieldValues?,
    to after: FieldValues?, base: Int64, hidden: Set<ExactString>
  ) throws -> OperationChange? {
    let counters = record.table.counters
    let start = before?.counters(among: counters) ?? [:]
    let absorbed = try absorbedOperations(operation, of: record.table, since: start)
    guard
      var change = OperationChange.difference(from: before, to: after, counters: counters)
        ?? .compensation(of: absorbed, from: before, to: after)
    else { return nil }
    change.values = try wire(change.values, of: record.table)
    try db.execute(
      """
      UPDATE sync_to_sync SET state = 'ready', kind = \(change.kind.rawValue),
        payload = \(change.storedPayload), base = min(\(base), seen),
        hidden = \(hidden.isEmpty ? nil : WireForm.storedText(WireForm.json(hidden))),
        absorbed = \(absorbed.isEmpty ? nil : WireForm.storedText(.array(absorbed.map(\.json)))),
        absorbed_count = \(absorbed.count), schema_version = \(schemaVersion)
      WHERE local_id = \(operation.localID)
      """)
    try advanceClock(past: operation.localID)
    if isSwitchedOff(.lateIdentifiers) { try replaceIdentifier(operation.localID) }
    try removeCaptured(operation.localID, of: record.table)
    change.values = try local(change.values, of: record.table).row
    return change
  }

  /// Sets `known_head` to 0 in the insertion of a row that the replica has known before.
  ///
  /// `known_head` is the version of the scope that the replica knew when the insertion was
  /// captured. From this version, the server concludes that it has not applied the insertion
  /// before. For a row that the replica has known, this conclusion is not sufficient: another
  /// device may have deleted the row, and the server may have removed the tombstone. If
  /// `known_head` is 0, the server uses only the version up to which the replica has applied all
  /// changes. The server then inserts the row only if the replica has pulled such a deletion.
  func forgetHead(_ localID: Int64) throws {
    try db.execute("UPDATE sync_to_sync SET known_head = 0 WHERE local_id = \(localID)")
  }

  /// Assigns another identifier to an operation, for a test of ``SyncMutation/lateIdentifiers``.
  private func replaceIdentifier(_ localID: Int64) throws {
    let digits = environment.makeIdentifier().replacing("-", with: "")
    let literal = SQL(unchecked: "x'\(digits)'")
    try db.execute(
      """
      UPDATE sync_to_sync SET operation_identifier = \(literal), absorbed = NULL
      WHERE local_id = \(localID)
      """)
  }

  /// Reconciles the visible row of a record with its operations, after its captured
  /// changes were computed.
  private func settle(
    _ record: TrackedRecord, _ overlay: Overlay, over shadow: FieldValues?, visible: FieldValues?
  ) throws {
    guard overlay.isDirty else { return try rebuild(record, over: visible) }
    let expected = overlay.fold(over: shadow)
    guard expected != visible else { return visible == nil ? try markDeleted(record) : () }
    do {
      // The visible row contains a value that cannot be sent, such as a reference to a missing row.
      try refusing { _ = try writeVisible(record, expected) }
    } catch is RowRefusal {
      return
    }
  }

  /// Records that a row does not exist, and releases its integer key, so
  /// that another row can get the key.
  ///
  /// Usually, a trigger has done both already. If `REPLACE` has deleted the row, no trigger has
  /// recorded the deletion.
  private func markDeleted(_ record: TrackedRecord) throws {
    try db.execute(
      "UPDATE sync_record SET isDeleted = 1 WHERE record_id = \(record.recordID)")
    guard record.table.identity == .integer else { return }
    // The triggers have released the key of a row that a statement other than REPLACE has deleted.
    let released: StoredValue = try db.fetchValue(
      """
      SELECT coalesce(primary_key, released_key) FROM sync_record
      WHERE record_id = \(record.recordID)
      """)
    var record = record
    record.key = released.value == .null ? nil : released.value
    deleted.append(record)
    // Detaching materialises the referring rows, which the user may also have deleted. The loop
    // replaces a recursion, whose depth would be the length of a chain of such rows.
    guard !isDetaching else { return }
    isDetaching = true
    defer { (isDetaching, deleted) = (false, []) }
    while let record = deleted.popLast() {
      try detachPulledRows(from: record)
      try releaseKey(of: record)
    }
  }

  /// Removes an operation, and the rows and identifiers that were captured for the operation.
  func remove(_ localID: Int64, of record: TrackedRecord) throws {
    try removeFromQueue(localID)
    try db.execute(
      """
      UPDATE \(identifier: record.table.shadowTable) SET pending = NULL
      WHERE record_id = \(record.recordID) AND pending = \(localID)
      """)
    try removeCaptured(localID, of: record.table)
  }

  /// Removes an operation from the queue, together with its entries of `sync_unknown_column`.
  ///
  /// A later operation can get the same number, so nothing that refers to the number may remain. If
  /// rows or identifiers were captured for the operation, call ``remove(_:of:)`` instead.
  func removeFromQueue(_ localID: Int64) throws {
    try db.execute("DELETE FROM sync_to_sync WHERE local_id = \(localID)")
    try db.execute("DELETE FROM sync_unknown_column WHERE local_id = \(localID)")
  }

  private func removeCaptured(_ localID: Int64, of table: CapturedTable) throws {
    try db.execute("DELETE FROM \(identifier: table.imageTable) WHERE local_id = \(localID)")
    try db.execute("DELETE FROM sync_absorbed WHERE local_id = \(localID)")
  }

  /// Returns the operations that were coalesced with a captured operation, oldest first.
  ///
  /// - Parameter start: the counters before the operation.
  private func absorbedOperations(
    _ operation: QueuedOperation, of table: CapturedTable, since start: CounterValues
  ) throws -> [AbsorbedOperation] {
    guard table.hasCounters else { return [] }
    let counters = table.syncedColumns.filter { $0.role == .counter }
    // SQLite reads all 64-bit integers, which JSON on the wire cannot contain.
    let values = counters.map { "json_extract(counters, \("$." + $0.storedName))" as SQL }
    return try db.fetchAll(
      """
      SELECT lower(hex(operation_identifier)), \(values.joined(separator: ", "))
      FROM sync_absorbed WHERE local_id = \(operation.localID)
      ORDER BY position LIMIT \(SyncLimits.absorbed)
      """
    ) { row in
      var reached: CounterValues = [:]
      for (position, counter) in counters.enumerated() {
        reached[ExactString(counter.name)] = try row[position + 1] as Int64?
      }
      return AbsorbedOperation(
        OperationIdentifier(try row[0]), increments: reached.since(start).filter { $0.value != 0 })
    }
  }
}

extension OperationChange {
  /// Returns an update that adds 0 to counters, or `nil` if no earlier form
  /// of the operation added anything.
  ///
  /// The final form of the operation can have no effect although an earlier form added to counters.
  /// A copy of the file may have sent the earlier form. If the server has applied that form, it
  /// subtracts the increments of that form from those of this update, and so undoes them.
  fileprivate static func compensation(
    of absorbed: [AbsorbedOperation], from before: FieldValues?, to after: FieldValues?
  ) -> OperationChange? {
    guard before != nil, after != nil else { return nil }
    var counters: CounterValues = [:]
    for operation in absorbed { counters.merge(operation.increments) { _, _ in 0 } }
    guard !counters.isEmpty else { return nil }
    return .update(increments: counters.mapValues { _ in 0 })
  }
}
