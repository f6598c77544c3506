import UndercroftCore
import UndercroftSQLite

// A pulled row that violates a constraint of this database waits in `sync_blocked` (is blocked),
// while later pulled rows are applied. Blocked rows are retried after every execution.

extension ReplicaTransaction {
  /// Stores a pulled row that this database cannot contain at present.
  func block(_ row: PulledRow, _ refusal: RowRefusal) throws {
    let waiting: Int64? = try db.fetchValue(
      """
      SELECT version FROM sync_blocked
      WHERE table_name = \(row.table) AND identifier = \(row.dataIdentifier.text)
      """)
    if let waiting, waiting > row.version { return }
    let reason =
      row.fields == nil
      ? """
      the row was deleted on the server, but this database cannot delete the row: \(refusal.reason)
      """ : refusal.reason
    try db.execute(
      """
      INSERT OR REPLACE INTO sync_blocked(
        table_name, identifier, version, deleted, fields, hlc, reason)
      VALUES (\(row.table), \(row.dataIdentifier.text), \(row.version), \(row.fields == nil),
        \(row.fields.map { WireForm.storedText(WireForm.json($0)) }), \(row.hybridTimestamp.rawValue),
        \(reason))
      """)
  }

  /// Removes the stored version of a blocked row, and resolves the conflict that reported this row.
  ///
  /// - Parameter row: the same or a later version of the blocked row, which was applied.
  func unblock(_ row: PulledRow) throws {
    let removed = try db.execute(
      """
      DELETE FROM sync_blocked WHERE table_name = \(row.table)
        AND identifier = \(row.dataIdentifier.text) AND version <= \(row.version)
      """)
    guard removed > 0 else { return }
    try db.execute(
      """
      UPDATE sync_conflict SET state = 'resolved', resolved_by = 'applied'
      WHERE conflict_id = \(Self.conflictIdentifier(ofBlocked: row)) AND state = 'open'
      """)
  }

  /// Returns whether a pulled row of a record is stored as blocked, because this database cannot
  /// contain it.
  func isBlocked(_ record: TrackedRecord) throws -> Bool {
    guard let identifier = record.dataIdentifier else { return false }
    return try db.fetchValue(
      """
      SELECT EXISTS(SELECT 1 FROM sync_blocked
        WHERE table_name = \(record.table.name) AND identifier = \(identifier.text))
      """)
  }

  /// Returns the pulled deletion of a record's row that this database cannot apply, or `nil` if
  /// there is none.
  func blockedDeletion(of record: TrackedRecord) throws -> PulledRow? {
    try blockedRows().first {
      $0.table.isExactly(record.table.name) && $0.dataIdentifier == record.dataIdentifier
        && $0.fields == nil
    }
  }

  /// Applies the blocked rows that no longer violate a constraint, and
  /// reports the others as conflicts.
  func retryBlockedRows() throws {
    var remaining = try blockedRows()
    while !remaining.isEmpty {
      let count = remaining.count
      try remaining.forEach(retry)
      remaining = try blockedRows()
      // The loop continues while rows are applied, because an applied row can free a unique value
      // or be the target of a reference that another blocked row needs.
      if remaining.count == count { break }
    }
    for row in remaining { try report(row) }
  }

  private func blockedRows() throws -> [PulledRow] {
    let rows = try db.fetchAll(
      "SELECT table_name, identifier, version, deleted, fields, hlc FROM sync_blocked"
    ) { row in
      let (table, identifier) = (try row[0] as String, try row[1] as String)
      let fields =
        try row[3]
        ? nil
        : try WireForm.storedFields(
          try row[4] as String? ?? "{}", of: "blocked row \(quoted("\(table)/\(identifier)"))")
      return PulledRow(
        table: table, dataIdentifier: DataIdentifier(identifier), version: try row[2],
        hybridTimestamp: HybridTimestamp(clamping: try row[5]), fields: fields)
    }
    return rows.filter { tables[ExactString($0.table)] != nil }
  }

  private func retry(_ row: PulledRow) throws {
    guard let table = tables[ExactString(row.table)] else { return }
    let known = try record(of: table, row.dataIdentifier)
    if let known {
      // Until the result of a sealed operation arrives, the replica does not know whether the
      // blocked row contains the operation.
      let isOwed = try operations(of: known).contains { $0.state == .sealed }
      if isOwed { return }
      if known.version > row.version { return try unblock(row) }
    }
    do {
      try refusing {
        try apply(row, to: table, appliedThrough: 0, isForced: known?.version == row.version)
      }
    } catch let refusal as RowRefusal {
      try block(row, refusal)
    }
  }

  private func report(_ row: PulledRow) throws {
    let reason: String = try db.fetchValue(
      """
      SELECT reason FROM sync_blocked
      WHERE table_name = \(row.table) AND identifier = \(row.dataIdentifier.text)
      """)
    var body = WireObject()
    body[.table] = .string(row.table)
    body[.dataIdentifier] = .string(row.dataIdentifier.text)
    body[.version] = .integer(row.version)
    body[.deleted] = .bool(row.fields == nil)
    if let fields = row.fields { body[.fields] = WireForm.json(fields) }
    body[.message] = .string(reason)
    try db.execute(
      """
      INSERT INTO sync_conflict(conflict_id, scope_id, kind, table_name, identifier, body,
        base_version, created_ms)
      VALUES (\(Self.conflictIdentifier(ofBlocked: row)), \(scopeID), 'blocked', \(row.table),
        \(row.dataIdentifier.text), \(WireForm.storedText(body.json)), \(row.version),
        \(environment.now()))
      ON CONFLICT(conflict_id) DO UPDATE SET body = excluded.body, state = 'open',
        base_version = excluded.base_version, resolved_by = NULL
      WHERE state <> 'open' OR body <> excluded.body
      """)
  }

  private static func conflictIdentifier(ofBlocked row: PulledRow) -> String {
    let message = [UInt8]("blocked\0".utf8) + row.table.utf8 + [0] + row.dataIdentifier.text.utf8
    return String(SHA256Digest(of: message).digits.prefix(32))
  }
}
