import UndercroftCore
import UndercroftSQLite

extension Replica {
  /// Returns the reasons for the values of a row, without changing anything.
  package func explain(
    _ row: DataIdentifier, in name: String
  ) throws -> RecordExplanation {
    try reading(name, to: "explain the row \(quoted(row.text))") { transaction, table in
      var explanation = try transaction.explain(row, in: table)
      explanation.blocked = explanation.blocked.map(readable)
      for index in explanation.conflicts.indices {
        explanation.conflicts[index].conflict = readable(explanation.conflicts[index].conflict)
      }
      return explanation
    }
  }

  /// Returns the identifier of the row with a key, or `nil` if the table has no such row.
  package func identifier(ofKey key: SyncValue, in name: String) throws -> DataIdentifier? {
    try reading(name, to: "determine the identifier of a row") { transaction, table in
      guard let record = try transaction.record(of: table, key: key),
        try transaction.visibleRow(record) != nil
      else { return nil }
      return record.dataIdentifier
    }
  }

  /// Runs `body` in a transaction that reads a table.
  ///
  /// - Parameter verb: the action in the message of the error that is thrown if the table is not
  ///   synchronised, such as "explain the row".
  private func reading<Result>(
    _ name: String, to verb: String,
    _ body: (ReplicaTransaction, CapturedTable) throws -> Result
  ) throws -> Result {
    try database.read { db in
      let transaction = try ReplicaTransaction(
        scope, in: db, environment: environment, limits: limits, schemaVersion: schemaVersion,
        cipher: cipher, isStrict: false)
      guard let table = transaction.tables[ExactString(name)] else {
        throw StorageError.cannotPerform(
          "\(verb) of the table \(quoted(name))",
          "the table is not synchronised with the scope \(quoted(scope.text))",
          suggestion: """
            pass the name of a table that this SyncEngine synchronises, spelled as in its \
            SyncedTable
            """)
      }
      return try body(transaction, table)
    }
  }
}

extension ReplicaTransaction {
  /// Returns the reasons for the values of a row, without changing anything.
  func explain(
    _ row: DataIdentifier, in table: CapturedTable
  ) throws -> RecordExplanation {
    let record = try record(of: table, row)
    let visible = try record.flatMap { try visibleRow($0) }
    let base = try record.flatMap { try pulledRowWithCaptured($0) }
    let unknown: String? =
      try db.fetchOne(
        """
        SELECT fields FROM sync_extra
        WHERE scope_id = \(scopeID) AND table_name = \(table.name) AND identifier = \(row.text)
        """
      ) { row in try row[0] } ?? nil
    var server = try record.flatMap { record in try base.map { try wirePulled($0, of: record) } }
    if let unknown {
      let fields = try WireForm.storedFields(
        unknown, of: "unknown columns of the row \(quoted("\(table.name)/\(row.text)"))")
      server = (server ?? [:]).merging(fields) { $1 }
    }
    return RecordExplanation(
      table: table.name, dataIdentifier: row, version: record?.version ?? 0,
      serverValues: server,
      operations: try record.map { try explainedOperations(of: $0) } ?? [],
      visibleValues: try visible.map { try wire($0, of: table) },
      blocked: try blockedRow(row, of: table), conflicts: try conflicts(of: row, in: table))
  }

  /// Returns the row that was pulled last, even if captured changes of the row were not yet turned
  /// into operations.
  private func pulledRowWithCaptured(_ record: TrackedRecord) throws -> FieldValues? {
    let isDirty = try operations(of: record).contains { $0.state.isFolded || $0.state.isCaptured }
    return try isDirty ? shadowRow(record) : visibleRow(record)
  }

  /// Returns the operations of a record, oldest first.
  ///
  /// For captured changes, this function computes the operations, but does not store them.
  func explainedOperations(of record: TrackedRecord) throws -> [RecordExplanation.Operation] {
    let table = record.table
    let queued = try operations(of: record)
    var before = try overlay(queued, of: table).overlay.fold(over: pulledRowWithCaptured(record))
    var explained: [RecordExplanation.Operation] = []
    for operation in queued {
      var change = operation.change
      if operation.state.isCaptured {
        let after =
          try operation.state == .closed
          ? imageRow(operation.localID, of: table) : visibleRow(record)
        change = OperationChange.difference(from: before, to: after, counters: table.counters)
        if let values = change?.values { change?.values = try wire(values, of: table) }
        before = after
      }
      guard let change else { continue }
      let details = try db.fetchOne(
        """
        SELECT lower(hex(operation_identifier)), batch_id IS NOT NULL, resolves
        FROM sync_to_sync WHERE local_id = \(operation.localID)
        """
      ) { row in
        (try row[0] as String, try row[1] as Bool, try row[2] as String?)
      }
      guard let (identifier, isPart, resolves) = details else { continue }
      explained.append(
        RecordExplanation.Operation(
          operationIdentifier: OperationIdentifier(identifier),
          progress: operation.state.progress, kind: change.kind, values: change.values,
          increments: change.kind == .insert ? change.absolutes : change.increments,
          isPartOfBatch: isPart, resolves: resolves.map { ConflictIdentifier($0) }))
    }
    return explained
  }

  private func blockedRow(
    _ identifier: DataIdentifier, of table: CapturedTable
  ) throws -> BlockedRow? {
    try db.fetchOne(
      """
      SELECT version, deleted, fields, reason FROM sync_blocked
      WHERE table_name = \(table.name) AND identifier = \(identifier.text)
      """
    ) { row in
      BlockedRow(
        table: table.name, dataIdentifier: identifier, version: try row[0],
        values: try row[1]
          ? nil
          : try WireForm.storedFields(
            try row[2] as String? ?? "{}",
            of: "blocked row \(quoted("\(table.name)/\(identifier.text)"))"),
        reason: try row[3])
    }
  }

  private func conflicts(
    of identifier: DataIdentifier, in table: CapturedTable
  ) throws -> [RecordExplanation.Conflict] {
    try db.fetchAll(
      """
      SELECT body, resolved_by, conflict_id FROM sync_conflict
      WHERE scope_id = \(scopeID) AND table_name = \(table.name)
        AND identifier = \(identifier.text) AND kind <> 'blocked'
      ORDER BY created_ms, rowid
      """
    ) { row in
      let stored = "stored conflict \(quoted(try row[2] as String))"
      let json = try WireForm.stored(try row[0], of: stored)
      let answer = (try row[1] as String?).map { OperationIdentifier($0) }
      do throws(WireError) {
        return RecordExplanation.Conflict(
          conflict: try SyncConflict(json: json, isLocal: true), answer: answer)
      } catch {
        throw error.storageError(decoding: stored, isStored: true)
      }
    }
  }
}

extension OperationState {
  /// The progress that an explanation shows.
  var progress: RecordExplanation.Progress {
    switch self {
    case .pending, .closed: .captured
    case .ready: .ready
    case .sealed: .sent
    case .confirmed: .confirmed
    case .acknowledged: .acknowledged
    }
  }
}
