import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

extension Replica {
  /// Calls `write` with the lines of a redacted export, each without its line feed.
  ///
  /// The lines are read one after another in one transaction.
  ///
  /// - Parameters:
  ///   - redactor: the redactor of values, or `nil` for a redactor with a random key.
  ///   - write: receives each line, and must not use the database.
  package func exportHistory(
    _ redactor: Redactor? = nil, _ write: (String) throws -> Void
  ) throws {
    let redactor = redactor ?? Redactor()
    try database.read { db in
      let transaction = try ReplicaTransaction(
        scope, in: db, environment: environment, limits: limits, schemaVersion: schemaVersion,
        cipher: cipher, isStrict: false)
      try withoutActuallyEscaping(write) { write in
        try HistoryExport(transaction: transaction, redactor: redactor, write: write).run()
      }
    }
  }
}

/// A writer of the lines of one redacted export. (Docs/Guides/SyncHistory.md)
private struct HistoryExport {
  let transaction: ReplicaTransaction
  let redactor: Redactor
  let write: (String) throws -> Void

  private var db: Connection { transaction.db }
  private var scopeID: Int64 { transaction.scopeID }

  func run() throws {
    try writeReplica()
    for table in transaction.tables.values.sorted(by: { $0.tableID < $1.tableID }) {
      try writeTable(table)
    }
    try writeEvents()
    let operations = try writeOperations()
    let conflicts = try writeConflicts()
    try line(
      "end", ["operations": .integer(operations), "conflicts": .integer(conflicts)])
  }

  private func line(_ kind: String, _ members: [ExactString: JSONValue]) throws {
    var members = members.filter { $0.value != .null }
    members["line"] = .string(kind)
    try write(WireForm.storedText(.object(members)))
  }

  private func writeReplica() throws {
    let state = transaction.state
    try line(
      "replica",
      [
        "format": .integer(1), "scope": print(state.scope.text),
        "replica": print(state.replica.text), "epoch": print(state.epoch?.text),
        "direction": .string(state.isOneWay ? "oneWay" : "twoWay"),
        "mode": .string(state.mode.rawValue), "generation": .integer(state.generation),
        "sealed": .integer(state.chain.count), "results_through": .integer(state.resultsThrough),
        "downloaded": .integer(state.downloadCursor), "applied": .integer(state.appliedCursor),
        "consistent": .integer(state.consistentCursor),
        "schema": .integer(transaction.schemaVersion),
      ])
  }

  private func print(_ text: String?) -> JSONValue {
    text.map { .string(redactor.fingerprint($0)) } ?? .null
  }

  private func writeTable(_ table: CapturedTable) throws {
    let columns = table.syncedColumns.map { column in
      (ExactString(column.name), JSONValue.string(column.role.rawValue))
    }
    let rows: Int64 = try db.fetchValue(
      "SELECT count(*) FROM sync_record WHERE table_id = \(table.tableID) AND version > 0")
    try line(
      "table",
      [
        "table": .string(table.name), "identity": .string(table.identity.rawValue),
        "columns": .object(Dictionary(uniqueKeysWithValues: columns)), "rows": .integer(rows),
      ])
  }

  private func writeEvents() throws {
    try db.forEach(
      "SELECT at_ms, event FROM sync_log WHERE scope_id = \(scopeID) ORDER BY rowid"
    ) { row in
      // The details of an event can contain values.
      try line("event", ["at": .integer(try row[0]), "event": .string(try row[1])])
    }
  }

  private func writeOperations() throws -> Int64 {
    var count: Int64 = 0
    try db.forEach(
      """
      SELECT o.local_id, o.state, o.record_id, o.batch_id, o.sequence, o.server_version, o.base,
        o.seen, o.hidden, o.base_cursor, o.timestamp, o.group_id, o.resolves, t.name,
        lower(hex(o.operation_identifier))
      FROM sync_to_sync o JOIN sync_table t ON t.table_id = o.table_id
      WHERE o.scope_id = \(scopeID) ORDER BY o.local_id
      """
    ) { row in
      count += 1
      let localID: Int64 = try row[0]
      var members: [ExactString: JSONValue] = [
        "number": .integer(localID), "state": .string(try row[1]),
        "batch": integer(try row[3]), "seq": integer(try row[4]),
        "version": integer(try row[5]), "base": integer(try row[6]), "seen": integer(try row[7]),
        "base_cursor": integer(try row[9]), "timestamp": integer(try row[10]),
        "group": print(try row[11] as String?), "resolves": print(try row[12] as String?),
        "table": .string(try row[13]), "operation": print(try row[14] as String),
      ]
      if let hidden = try row[8] as String? {
        members["hidden"] = try WireForm.stored(hidden, of: "queued operation \(localID)")
      }
      if let operation = try transaction.sealedOperation(localID) {
        add(operation, to: &members)
      } else if let record = try transaction.record(try row[2] as Int64) {
        members["row"] = print(record.dataIdentifier?.text)
        let identifier: String = try row[14]
        let captured = try transaction.explainedOperations(of: record)
          .first { $0.operationIdentifier.text.isExactly(identifier) }
        if let captured {
          add(captured.kind, captured.values, captured.increments, to: &members)
        }
      }
      try line("operation", members)
    }
    return count
  }

  private func add(_ operation: SyncOperation, to members: inout [ExactString: JSONValue]) {
    let change = operation.change
    add(
      change.kind, change.values, change.increments.merging(change.absolutes) { _, new in new },
      to: &members)
    if let selection = operation.selection {
      members["columns"] = WireForm.json(selection.condition.columns)
      members["rows"] = .array(selection.identifiers.map { print($0.text) })
    } else {
      members["row"] = print(operation.dataIdentifier.text)
    }
  }

  private func add(
    _ kind: OperationKind, _ values: FieldValues, _ counters: CounterValues,
    to members: inout [ExactString: JSONValue]
  ) {
    members["kind"] = .string(kind.rawValue)
    if !values.isEmpty { members["set"] = redactor.values(values) }
    if !counters.isEmpty { members["inc"] = WireForm.json(counters.keys) }
  }

  private func integer(_ value: Int64?) -> JSONValue {
    guard let value, JSONValue.exactIntegers.contains(value) else { return .null }
    return .integer(value)
  }

  private func writeConflicts() throws -> Int64 {
    var count: Int64 = 0
    try db.forEach(
      """
      SELECT conflict_id, kind, table_name, identifier, operation_identifier, policy, state,
        resolved_by, base_version, created_ms, body
      FROM sync_conflict WHERE scope_id = \(scopeID) ORDER BY created_ms, rowid
      """
    ) { row in
      count += 1
      let kind: String = try row[1]
      var members: [ExactString: JSONValue] = [
        "conflict": print(try row[0] as String), "kind": .string(kind),
        "table": .string(try row[2]), "row": print(try row[3] as String),
        "operation": print(try row[4] as String?), "state": .string(try row[6]),
        "resolved_by": print(try row[7] as String?), "version": integer(try row[8]),
        "at": integer(try row[9]),
      ]
      if let policy = try row[5] as String? { members["policy"] = .string(policy) }
      let stored = "stored conflict \(quoted(try row[0] as String))"
      let json = try WireForm.stored(try row[10], of: stored)
      if kind != "blocked", let conflict = try? SyncConflict(json: json, isLocal: true) {
        members["change"] = .string(conflict.change.rawValue)
        members["set"] = redactor.values(conflict.values.mapValues(\.value))
      }
      try line("conflict", members)
    }
    return count
  }
}
