import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// Applies a pulled row.
  ///
  /// - Parameters:
  ///   - through: the sequence number of the last operation of this replica that the row may
  ///     contain.
  ///   - isForced: whether the row is applied even if this or a later version of the row has been
  ///     applied before.
  /// - Throws: ``RowRefusal`` or an error of SQLite if this database cannot contain the row.
  func apply(
    _ row: PulledRow, to table: CapturedTable, appliedThrough through: Int64,
    isForced: Bool = false
  ) throws {
    let known = try record(of: table, row.dataIdentifier)
    if let known, row.version <= known.version, !isForced { return }
    if let known { try materialise(known) }
    // If the row was inserted and deleted here and never sent, `materialise` has removed the
    // record.
    let remaining = try known.flatMap { try self.record($0.recordID) }
    if remaining == nil, row.fields == nil { return try removeTraces(of: row) }
    var record = try remaining ?? makeRecord(of: table, row.dataIdentifier)
    // The queue contains no operation of a record that was created just now.
    let isNew = remaining == nil
    if !isNew { try applyEchoes(of: row.version, to: record, appliedThrough: through) }
    if row.fields != nil {
      // The key is reserved before the references are resolved, because the row can refer to
      // itself.
      record = try reserveKey(of: record)
      arriving = record.key.map { (RowName(row.table, row.dataIdentifier), $0) }
    }
    defer { arriving = nil }
    let (base, unresolved) = try pulledValues(row, of: table)
    try db.execute(
      "UPDATE sync_record SET version = \(row.version) WHERE record_id = \(record.recordID)")
    try setUnresolved(unresolved, of: record, isPulled: true)
    try storeUnknownColumns(row, of: table)
    do { try rebuild(record, over: base, isNew: isNew) } catch {
      throw RowRefusal(missing: unresolved, causeOf: error) ?? error
    }
    arriving = nil
    try unblock(row)
  }

  /// Updates the queued operations of a record whose effects the pulled row contains.
  ///
  /// If the result of such an operation has arrived, the operation is removed. Otherwise, it is
  /// marked as confirmed.
  ///
  /// - Parameters:
  ///   - version: the version of the pulled row.
  ///   - through: the sequence number of the last operation of this replica that the server had
  ///     applied when it sent the row.
  private func applyEchoes(
    of version: Int64, to record: TrackedRecord, appliedThrough through: Int64
  ) throws {
    for operation in try operations(of: record) {
      switch EchoDecision(
        state: operation.state, sequence: operation.sequence,
        serverVersion: operation.serverVersion, pulled: version, appliedThrough: through)
      {
      case .remains: continue
      case .isConfirmed where isSwitchedOff(.ignoredEchoes): continue
      case .leaves: try remove(operation.localID, of: record)
      case .isConfirmed:
        try db.execute(
          "UPDATE sync_to_sync SET state = 'confirmed' WHERE local_id = \(operation.localID)")
      }
    }
  }

  /// Returns the values of a pulled row for the columns of this database, and the references that
  /// cannot be resolved yet.
  ///
  /// Columns that the pulled row does not have get their default values.
  private func pulledValues(
    _ row: PulledRow, of table: CapturedTable
  ) throws -> (row: FieldValues?, unresolved: [UnresolvedReference]) {
    guard let fields = row.fields else { return (nil, []) }
    let known = fields.filter { table.syncedNames.contains($0.key) }
    let readable = try decrypted(known, of: table, row.dataIdentifier)
    let (local, unresolved) = try local(readable, of: table)
    return (local.merging(try missingValues(in: fields, of: table)) { $1 }, unresolved)
  }

  private func removeTraces(of row: PulledRow) throws {
    try storeExtra(row)
    try unblock(row)
  }
}
