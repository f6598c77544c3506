import UndercroftCore
import UndercroftFoundation
import UndercroftInspection
import UndercroftSQLite

extension ServerInspection {
  /// Returns the row as the server stores it, the last write of each column, and the operations
  /// that concerned the row, or no entries if no scope contains the row.
  func explanation(of row: String, in table: String) throws -> [InspectedSyncEntry] {
    try stored().flatMap { scope -> [InspectedSyncEntry] in
      let operations = try self.operations(on: row, in: table, scope)
      let record = try db.fetchOne(
        """
        SELECT version, is_deleted, body FROM sync_record
        WHERE scope_id = \(scope.number) AND table_name = \(table) AND identifier = \(row)
        """
      ) { values in
        StoredRecord(
          table: table, dataIdentifier: DataIdentifier(row), version: try values[0],
          isDeleted: try values[1] as Int64 != 0, body: try values[2])
      }
      guard let record else { return operations }
      return try operations + entries(ServerRecord(record), row, table, scope)
    }
  }

  /// Returns at most `limit` conflicts, in the order in which they were stored.
  func conflicts(limit: Int?) throws -> [InspectedSyncEntry] {
    try conflicts(where: "TRUE ORDER BY c.version, c.conflict LIMIT \(limit ?? -1)")
  }

  /// Returns a conflict and the stored row, or no entries if there is no such conflict.
  func conflict(_ identifier: String) throws -> [InspectedSyncEntry] {
    let found = try conflicts(where: "c.conflict = \(identifier)")
    guard let first = found.first else { return [] }
    return try found + explanation(of: first.row ?? "", in: first.table)
  }

  private func conflicts(where condition: SQL) throws -> [InspectedSyncEntry] {
    try db.fetchAll(
      """
      SELECT s.name, c.account, c.conflict, c.body FROM sync_conflict c
      JOIN sync_scope s ON s.scope_id = c.scope_id WHERE \(condition)
      """
    ) { row in
      let (scope, account, name) = (
        try row[0] as String, try row[1] as String, try row[2] as String
      )
      let conflict = try StoredBody.read(
        try row[3], of: "stored conflict \(quoted(name))"
      ) { json throws(WireError) in try SyncConflict(json: json) }
      var entry = conflict.entry(scope)
      entry.state = conflict.resolvedBy == nil ? "open" : "resolved"
      entry.message = ["account \(account)", entry.message].compactMap { $0 }
        .joined(separator: "; ")
      return entry
    }
  }

  private func entries(
    _ record: ServerRecord, _ row: String, _ table: String, _ scope: Scope
  ) -> [InspectedSyncEntry] {
    var stored = InspectedSyncEntry(.stored, scope: scope.name, table: table, row: row)
    (stored.version, stored.time) = (record.version, record.hybridTimestamp.milliseconds)
    (stored.author, stored.state) = (record.writer.text, record.isDeleted ? "deleted" : "live")
    stored.values = record.fields.inspected
    let writes = record.writes.merging(record.additions.mapValues(\.last)) { write, _ in write }
    return [stored]
      + writes.sorted { $0.key < $1.key }.map { column, write in
        var entry = InspectedSyncEntry(.write, scope: scope.name, table: table, row: row)
        (entry.identifier, entry.version) = (column.text, write.version)
        (entry.time, entry.author) = (
          write.author.hybridTimestamp.milliseconds, write.author.replica.text
        )
        return entry
      }
  }

  /// Returns the operations of the ledger that concerned a row, oldest first.
  private func operations(
    on row: String, in table: String, _ scope: Scope
  ) throws -> [InspectedSyncEntry] {
    // The bodies contain the identifier in this form. The search skips most other bodies.
    let quotedRow = JSONWriter.data(.string(row))
    let found = try db.fetchAll(
      """
      SELECT operation, replica, sequence, processed_at, received_ms, body FROM sync_operation
      WHERE scope_id = \(scope.number) AND instr(body, \(quotedRow)) > 0
      ORDER BY processed_at, sequence
      """
    ) { values in
      StoredOperation(
        operationIdentifier: OperationIdentifier(try values[0]),
        replica: (try values[1] as String?).map { ReplicaIdentifier($0) }, sequence: try values[2],
        processedAt: try values[3], receivedAt: try values[4], body: try values[5])
    }
    return try found.compactMap { operation in
      let ledger = try LedgerEntry(operation)
      guard ledger.address.table == table.exact, ledger.address.dataIdentifier.text.isExactly(row)
      else {
        return nil
      }
      var entry = InspectedSyncEntry(.processed, scope: scope.name, table: table, row: row)
      entry.identifier = operation.operationIdentifier.text
      (entry.state, entry.version) = (ledger.status.rawValue, ledger.version)
      (entry.time, entry.author) = (operation.receivedAt, operation.replica?.text)
      entry.message = ledger.rejection?.message
      return entry
    }
  }
}
