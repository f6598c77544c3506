import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// Removes the rows that a snapshot does not contain, as if their deletions were pulled.
  ///
  /// Unsent operations of such rows remain.
  func removeUnseenRows(_ end: StagedEntry) throws {
    for table in tables.values.sorted(by: { $0.tableID < $1.tableID }) {
      for recordID in try unseenRecords(of: table, through: end.version) {
        guard let identifier = try record(recordID)?.dataIdentifier else { continue }
        let through = end.replica == state.replica ? end.appliedThrough : 0
        let row = PulledRow(
          table: table.name, dataIdentifier: identifier, version: end.version,
          hybridTimestamp: .zero, fields: nil)
        do {
          try refusing { try apply(row, to: table, appliedThrough: through, isForced: true) }
        } catch let refusal as RowRefusal {
          try block(row, refusal)
        }
      }
    }
    try removeUnseenRemains(through: end.version)
    try removeSeen()
  }

  /// Removes the list of the rows that a snapshot contains.
  func removeSeen() throws {
    try db.execute("DELETE FROM sync_seen WHERE scope_id = \(scopeID)")
    try db.execute("DELETE FROM sync_seen_record WHERE scope_id = \(scopeID)")
  }

  /// Returns the records that the snapshot does not contain.
  ///
  /// A row that was pulled after the snapshot, and applied early because a row of the snapshot
  /// refers to it, is not among these records.
  private func unseenRecords(of table: CapturedTable, through version: Int64) throws -> [Int64] {
    let identifier: SQL =
      switch table.identity {
      case .text: "r.primary_key"
      case .integer: "r.identifier"
      case .blob:
        """
        lower(substr(hex(r.primary_key), 1, 8) || '-' || substr(hex(r.primary_key), 9, 4) || '-'
          || substr(hex(r.primary_key), 13, 4) || '-' || substr(hex(r.primary_key), 17, 4) || '-'
          || substr(hex(r.primary_key), 21))
        """
      }
    return try db.fetchAll(
      """
      SELECT r.record_id FROM sync_record r
      WHERE r.table_id = \(table.tableID) AND r.version <= \(version)
        AND NOT EXISTS(
          SELECT 1 FROM sync_seen_record s
          WHERE s.scope_id = \(scopeID) AND s.record_id = r.record_id)
        AND NOT EXISTS(
          SELECT 1 FROM sync_seen s WHERE s.scope_id = \(scopeID) AND s.table_name = \(table.name)
            AND s.identifier = \(identifier))
      ORDER BY r.record_id
      """
    ) { row in try row[0] }
  }

  /// Removes blocked rows, and stored rows of unknown tables, that the snapshot does not contain.
  private func removeUnseenRemains(through version: Int64) throws {
    let unseen: SQL = """
      version <= \(version) AND NOT EXISTS(SELECT 1 FROM sync_seen s WHERE s.scope_id = \(scopeID)
        AND s.table_name = waiting.table_name AND s.identifier = waiting.identifier)
      """
    let blocked = try db.fetchAll(
      "SELECT table_name, identifier FROM sync_blocked AS waiting WHERE deleted = 0 AND \(unseen)"
    ) { row in
      PulledRow(
        table: try row[0], dataIdentifier: DataIdentifier(try row[1]), version: version,
        hybridTimestamp: .zero, fields: nil)
    }
    for row in blocked where tables[ExactString(row.table)] != nil { try unblock(row) }
    try db.execute("DELETE FROM sync_extra AS waiting WHERE scope_id = \(scopeID) AND \(unseen)")
  }
}
