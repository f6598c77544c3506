import UndercroftCore
import UndercroftSQLite

extension Replica {
  /// Answers a conflict, and returns the identifier of the operation that contains the answer.
  package func answer(
    _ conflict: ConflictIdentifier, with answer: ConflictAnswer
  ) throws -> OperationIdentifier {
    let action = "answer the conflict \(quoted(conflict.text))"
    return try perform(to: action) { transaction in
      try transaction.answer(conflict, with: answer, action: action)
    }
  }
}

extension ReplicaTransaction {
  /// Answers a conflict in one operation, which names the conflict.
  fileprivate func answer(
    _ identifier: ConflictIdentifier, with answer: ConflictAnswer, action: String
  ) throws -> OperationIdentifier {
    let conflict = try openConflict(identifier, action: action)
    guard let table = tables[ExactString(conflict.table)] else {
      throw StorageError.cannotPerform(
        action,
        "the table \(quoted(conflict.table)) is not synchronised with the scope "
          + quoted(state.scope.text),
        suggestion: """
          add the table \(quoted(conflict.table)) to the tables of the SyncEngine, or install a \
          version of the application that synchronises the table
          """)
    }
    let record = try existingRecord(of: table, conflict.dataIdentifier)
    var changed: Int64?
    switch answer {
    case .serverValues: break
    case .lostValues where conflict.restoresDeletion: changed = try perform(nil, on: record)
    case .lostValues:
      var values = try lostValues(of: conflict, in: table, action: action)
      // The lost total of a counter does not contain the increments that the visible row contains.
      if try visibleRow(record) != nil {
        values = values.filter { !table.counters.contains($0.key) }
      }
      changed = try write(values, adding: conflict.increments, to: record)
    case .values(let values):
      try requireColumns(values.keys, of: table, action: action)
      changed = try write(values, to: record)
    }
    if answer.writesRow(of: conflict) {
      changed = try insertAgain(existingRecord(of: table, conflict.dataIdentifier), changed)
    }
    // An answer that changes nothing is sent nevertheless, so that the server closes the conflict.
    let localID =
      try changed ?? append(.update(), to: existingRecord(of: table, conflict.dataIdentifier))
    try db.execute(
      "UPDATE sync_to_sync SET resolves = \(identifier.text) WHERE local_id = \(localID)")
    let operation = try operationIdentifier(localID)
    try db.execute(
      """
      UPDATE sync_conflict SET state = 'resolved', resolved_by = \(operation.text)
      WHERE conflict_id = \(identifier.text)
      """)
    return operation
  }

  /// Replaces the operation of an answer by an insertion of the visible row, if the server has
  /// deleted the row but this database still contains it.
  ///
  /// This database cannot apply the deletion while other rows require the row. The answer then
  /// changes an existing row, so its operation is an update. The server would reject an update of a
  /// deleted row.
  ///
  /// - Parameter localID: the local number of the operation, or `nil` if the row has the values of
  ///   the answer already.
  /// - Returns: the local number of the operation that contains the answer.
  private func insertAgain(_ record: TrackedRecord, _ localID: Int64?) throws -> Int64? {
    guard let deletion = try blockedDeletion(of: record), let row = try visibleRow(record),
      var change = OperationChange.difference(
        from: nil, to: row, counters: record.table.counters)
    else { return localID }
    var answered: FieldValues = [:]
    if let localID {
      answered =
        try operations(of: record).first { $0.localID == localID }?.change?.values ?? [:]
      try remove(localID, of: record)
    }
    change.values = try wirePulled(change.values, of: record)
    try db.execute(
      """
      UPDATE sync_record SET version = \(deletion.version) WHERE record_id = \(record.recordID)
      """)
    try unblock(deletion)
    guard let deleted = try self.record(record.recordID) else { return nil }
    let inserted = try append(change, to: deleted, over: .some(nil))
    try forgetHead(inserted)
    // The visible row contains neither values of columns that this version of the application does
    // not have, nor references to rows that are not in this database.
    try amend(inserted, of: deleted, with: answered)
    return inserted
  }

  /// Returns the lost values of a conflict, decrypted.
  private func lostValues(
    of conflict: SyncConflict, in table: CapturedTable, action: String
  ) throws -> FieldValues {
    let values = conflict.values.mapValues(\.value)
    let encrypted = values.filter { _, value in
      if case .encrypted = value { true } else { false }
    }
    do {
      let readable = try decrypted(encrypted, of: table, conflict.dataIdentifier)
      return values.merging(readable) { _, readable in readable }
    } catch let refusal as RowRefusal {
      throw StorageError.cannotPerform(
        action, refusal.reason,
        suggestion: """
          answer with other values; if the encryption key of the values is missing, create the \
          SyncEngine with a cipher that has this key
          """)
    }
  }

  /// Returns a conflict, or throws if it is unknown, is a blocked row, or has an answer.
  private func openConflict(
    _ identifier: ConflictIdentifier, action: String
  ) throws -> SyncConflict {
    let found = try db.fetchOne(
      """
      SELECT kind, state FROM sync_conflict
      WHERE scope_id = \(scopeID) AND conflict_id = \(identifier.text)
      """
    ) { row in (kind: try row[0] as String, state: try row[1] as String) }
    guard let found else {
      throw StorageError.cannotPerform(
        action, "the scope \(quoted(state.scope.text)) has no such conflict",
        suggestion: "pass the identifier of a conflict that SyncEngine.conflicts() returns")
    }
    guard found.kind != "blocked" else {
      throw StorageError.cannotPerform(
        action,
        found.state == "open"
          ? """
          the conflict reports a row of the server that cannot be applied to this database, and \
          such a conflict accepts no answer
          """
          : """
          the conflict reported a row of the server that could not be applied to this database, \
          and has already ended
          """,
        suggestion: found.state == "open"
          ? "remove the cause that BlockedRow.reason names, and synchronise again to apply the row"
          : "do not answer the conflict; change the row with another operation if necessary")
    }
    guard found.state == "open", let conflict = try storedConflict(identifier) else {
      throw StorageError.cannotPerform(
        action, "the conflict already has an answer",
        suggestion: "to correct the answer, change the row with another operation")
    }
    return conflict
  }
}

extension ConflictAnswer {
  /// Whether the answer writes values to the row of a conflict, and does not delete the row.
  fileprivate func writesRow(of conflict: SyncConflict) -> Bool {
    switch self {
    case .serverValues: false
    case .lostValues: !conflict.restoresDeletion
    case .values: true
    }
  }
}

extension SyncConflict {
  /// Whether the lost change is the deletion of the row.
  fileprivate var restoresDeletion: Bool {
    kind == .rowRestored || change == .delete && kind.concernsWholeOperation
  }
}
