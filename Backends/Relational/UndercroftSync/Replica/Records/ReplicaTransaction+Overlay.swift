import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// Returns the operations of a record, oldest first.
  func operations(of record: TrackedRecord) throws -> [QueuedOperation] {
    try db.fetchAll(
      """
      SELECT local_id, state, kind, payload, base,
        coalesce(sequence, (SELECT b.sequence FROM sync_to_sync b WHERE b.local_id = o.batch_id)),
        server_version
      FROM sync_to_sync o WHERE record_id = \(record.recordID) AND state <> 'pending'
      UNION ALL
      SELECT local_id, state, kind, payload, base, sequence, server_version FROM sync_to_sync
      WHERE local_id = (
          SELECT pending FROM \(identifier: record.table.shadowTable)
          WHERE record_id = \(record.recordID))
        AND state = 'pending'
      ORDER BY local_id
      """
    ) { row in
      let localID: Int64 = try row[0]
      let state: OperationState = try row[1]
      let change =
        try state.isCaptured
        ? nil
        : OperationChange(
          kind: try row[2], storedPayload: try row[3],
          of: "queued operation \(localID) of the table \(quoted(record.table.name))")
      return QueuedOperation(
        localID: localID, state: state, change: change, base: try row[4], sequence: try row[5],
        serverVersion: try row[6])
    }
  }

  /// Returns the operations that are applied to the pulled row to compute the visible row, and the
  /// references that cannot be resolved yet.
  ///
  /// The operations contain references as keys of this database.
  func overlay(
    _ operations: [QueuedOperation], of table: CapturedTable
  ) throws -> (overlay: Overlay, unresolved: [UnresolvedReference]) {
    var (overlay, unresolved) = (Overlay(), [UnresolvedReference]())
    for operation in operations where operation.state.isFolded {
      guard var change = operation.change else { continue }
      let (values, missing) = try local(change.values, of: table)
      change.values = values.filter { table.syncedNames.contains($0.key) }
      if change.kind == .insert {
        var inserted = change.values
        inserted.set(change.absolutes)
        overlay.addedColumns.merge(try missingValues(in: inserted, of: table)) { $1 }
      }
      overlay.changes.append(change)
      unresolved += missing
    }
    return (overlay, unresolved)
  }

  /// Returns the row that was pulled last, or `nil` if the server has none.
  ///
  /// Before this call, the captured changes of the record must have been computed with
  /// ``materialise(_:)``.
  func pulledRow(_ record: TrackedRecord) throws -> FieldValues? {
    let isDirty = try operations(of: record).contains { $0.state.isFolded }
    return try isDirty ? shadowRow(record) : visibleRow(record)
  }

  /// Changes the visible row to the pulled row with the operations of the record applied.
  ///
  /// - Parameters:
  ///   - record: the record of the row.
  ///   - base: the pulled row, whose references are keys of this database and not identifiers, or
  ///     `nil` if there is none.
  ///   - isNew: whether the record was created just now, and so has no operations.
  /// - Throws: ``RowRefusal`` if a trigger of the application ignores the change; an error of
  ///   SQLite if the row violates a constraint.
  func rebuild(
    _ record: TrackedRecord, over base: FieldValues?, isNew: Bool = false
  ) throws {
    let operations = isNew ? [] : try operations(of: record)
    let (overlay, unresolved) = try overlay(operations, of: record.table)
    let row = overlay.fold(over: base)
    let record = try writeVisible(record, row)
    try setUnresolved(unresolved, of: record, isPulled: false)
    if overlay.isDirty {
      try writeShadow(record, try normalised(base, folded: row, visible: visibleRow(record)))
    } else {
      try removeShadow(record)
      if base == nil, operations.isEmpty { return try forget(record) }
    }
    try db.execute(
      """
      UPDATE sync_record SET isDeleted = \(overlay.isDeleted)
      WHERE record_id = \(record.recordID)
      """)
    // References are resolved here, because a row also reappears if its deletion was not applied.
    if row != nil, let identifier = record.dataIdentifier {
      try resolveReferences(to: record, identifier)
    }
  }

  /// Returns the pulled row as this database stores it.
  ///
  /// The type of a column can convert a value, such as 1.0 to 1. A pulled value that is visible
  /// must have the same form in the stored copy of the pulled row, so that the conversion is not
  /// regarded as a change of the user.
  private func normalised(
    _ base: FieldValues?, folded: FieldValues?, visible: FieldValues?
  ) -> FieldValues? {
    guard var base, let folded, let visible else { return base }
    for (column, value) in visible where folded[column] != value {
      if folded[column] == nil || base[column] == folded[column] { base[column] = value }
    }
    return base
  }

  /// Rebuilds the visible row of a record, or stores the pulled row as blocked if this database
  /// cannot contain the result.
  func rebuildOrBlock(_ record: TrackedRecord, over base: FieldValues?) throws {
    do {
      try refusing { try rebuild(record, over: base) }
    } catch let refusal as RowRefusal {
      guard let identifier = record.dataIdentifier else { return }
      try writeShadow(record, base)
      let row = PulledRow(
        table: record.table.name, dataIdentifier: identifier, version: record.version,
        hybridTimestamp: .zero,
        fields: try base.map {
          try encrypted(wirePulled($0, of: record), of: record.table, identifier)
        })
      try block(row, refusal)
    }
  }
}
