import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// The maximum length of a chain of references that is followed from a row to other pulled rows.
  private static let maximumDepth = 64

  /// Executes at most `limit` stored entries of pages, and returns their number.
  func execute(limit: Int) throws -> Int {
    let entries = try db.fetchAll(
      """
      SELECT \(StagedEntry.columns) FROM sync_to_execute WHERE scope_id = \(scopeID)
      ORDER BY ordinal LIMIT \(limit)
      """
    ) { row in try StagedEntry(row) }
    var remaining = entries[...]
    while let entry = remaining.first {
      var count = try insertNewRows(remaining)
      if count == 0 {
        try executeAlone(entry)
        count = 1
      }
      let executed = remaining.prefix(count)
      state.appliedCursor = executed.reduce(state.appliedCursor) { max($0, $1.version) }
      remaining = remaining.dropFirst(count)
    }
    try retryBlockedRows()
    return entries.count
  }

  private func executeAlone(_ entry: StagedEntry) throws {
    guard !executedEarly.contains(entry.ordinal) else { return }
    if entry.row == nil { try executeEnd(entry) } else { try execute(entry, depth: 0) }
    // Blocked rows and unresolved references may have been stored or removed.
    tablesForNewRows = [:]
  }

  private func execute(_ entry: StagedEntry, depth: Int) throws {
    guard let row = entry.row else { return }
    try db.execute("DELETE FROM sync_to_execute WHERE ordinal = \(entry.ordinal)")
    executedEarly.insert(entry.ordinal)
    if entry.kind == .snapshotChange {
      try db.execute(
        """
        INSERT OR IGNORE INTO sync_seen(scope_id, table_name, identifier)
        VALUES (\(scopeID), \(row.table), \(row.dataIdentifier.text))
        """)
    }
    guard let table = tables[ExactString(row.table)] else { return try storeExtra(row) }
    if depth < Self.maximumDepth, let fields = row.fields {
      try executeReferences(fields, of: table, depth: depth)
    }
    // Sequence numbers under an earlier identifier of the replica belong to other operations.
    let through = entry.replica == state.replica ? entry.appliedThrough : 0
    do {
      try refusing { try apply(row, to: table, appliedThrough: through) }
    } catch let refusal as RowRefusal {
      try block(row, refusal)
    }
  }

  /// Applies the staged rows that a pulled row refers to and that this database does not contain
  /// yet, so that the references can be resolved.
  private func executeReferences(
    _ fields: FieldValues, of table: CapturedTable, depth: Int
  ) throws {
    for (column, target) in referenceColumns(of: table) {
      guard case .text(let identifier)? = fields[column],
        try key(of: DataIdentifier(identifier), in: target) == nil
      else { continue }
      let entry = try db.fetchOne(
        """
        SELECT \(StagedEntry.columns) FROM sync_to_execute
        WHERE scope_id = \(scopeID) AND table_name = \(target.name) AND identifier = \(identifier)
        ORDER BY version DESC LIMIT 1
        """
      ) { row in try StagedEntry(row) }
      guard let entry, entry.row?.fields != nil else { continue }
      try execute(entry, depth: depth + 1)
    }
  }

  private func executeEnd(_ entry: StagedEntry) throws {
    try db.execute("DELETE FROM sync_to_execute WHERE ordinal = \(entry.ordinal)")
    if entry.kind == .snapshotEnd { try removeUnseenRows(entry) }
    guard entry.kind != .page else { return }
    try removeAcknowledged(through: entry.version)
    state.consistentCursor = max(state.consistentCursor, entry.version)
  }

  /// Removes acknowledged operations that the server applied at or before `version`.
  ///
  /// An operation usually leaves the queue when a pulled row contains its effect. No such row
  /// follows if the row was pulled before the result arrived, or if the server has deleted the row
  /// and removed its tombstone. The replica has pulled all changes of the scope up to `version`, so
  /// no later page contains the effects of the operations. The operations of blocked rows remain in
  /// the queue.
  private func removeAcknowledged(through version: Int64) throws {
    let acknowledged = try db.fetchAll(
      """
      SELECT local_id, record_id FROM sync_to_sync
      WHERE scope_id = \(scopeID) AND state = 'acked' AND server_version <= \(version)
      """
    ) { row in (localID: try row[0] as Int64, recordID: try row[1] as Int64) }
    for (localID, recordID) in acknowledged {
      guard let record = try record(recordID) else {
        try removeFromQueue(localID)
        continue
      }
      // The pulled row that contains the operation is blocked, so it is not visible yet.
      if try isBlocked(record) { continue }
      try materialise(record)
      let base = try pulledRow(record)
      try remove(localID, of: record)
      try rebuildOrBlock(record, over: base)
    }
  }
}
