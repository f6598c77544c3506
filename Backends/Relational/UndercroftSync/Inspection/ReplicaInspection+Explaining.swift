import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

extension ReplicaInspection {
  /// Returns the reasons for the values of a row, or no entries if no scope contains the row.
  ///
  /// - Parameter row: the identifier of the row, or its integer key in this database.
  func explanation(of row: String, in name: String) throws -> [InspectedSyncEntry] {
    try scopeNames().flatMap { scope -> [InspectedSyncEntry] in
      let transaction = try transaction(of: scope)
      guard let table = transaction.tables[ExactString(name)] else { return [] }
      var identifier = DataIdentifier(row)
      if table.identity == .integer, try transaction.record(of: table, identifier) == nil,
        let key = Int64(row),
        let found = try transaction.record(of: table, key: .integer(key))?.dataIdentifier
      {
        identifier = found
      }
      return try transaction.explain(identifier, in: table).entries(scope)
    }
  }

  /// Returns at most `limit` conflicts of all scopes, oldest first, including answered ones.
  func conflicts(limit: Int?) throws -> [InspectedSyncEntry] {
    try entries(
      """
      SELECT s.name, c.conflict_id, c.kind, c.body, c.state, c.created_ms, c.resolved_by
      FROM sync_conflict c JOIN sync_scope s ON s.scope_id = c.scope_id
      ORDER BY c.created_ms, c.rowid LIMIT \(limit ?? -1)
      """)
  }

  /// Returns a conflict and the reasons for the present values of its row, or no entries if there
  /// is no such conflict.
  func conflict(_ identifier: String) throws -> [InspectedSyncEntry] {
    let found = try entries(
      """
      SELECT s.name, c.conflict_id, c.kind, c.body, c.state, c.created_ms, c.resolved_by
      FROM sync_conflict c JOIN sync_scope s ON s.scope_id = c.scope_id
      WHERE c.conflict_id = \(identifier)
      """)
    return try found.flatMap { conflict -> [InspectedSyncEntry] in
      let other = try explanation(of: conflict.row ?? "", in: conflict.table)
      return [conflict] + other.filter { $0.kind != .conflict }
    }
  }

  private func entries(_ sql: SQL) throws -> [InspectedSyncEntry] {
    try SyncSchema.verify(in: db)
    return try db.fetchAll(sql) { row in
      let (scope, identifier) = (try row[0] as String, try row[1] as String)
      let stored = "stored conflict \(quoted(identifier))"
      let json = try WireForm.stored(try row[3], of: stored)
      let isBlocked = try row[2] as String == "blocked"
      var entry: InspectedSyncEntry
      do throws(WireError) {
        entry =
          isBlocked
          ? try BlockedRow(json: json).entry(scope)
          : try SyncConflict(json: json, isLocal: true).entry(scope)
      } catch {
        throw error.storageError(decoding: stored, isStored: true)
      }
      entry.identifier = identifier
      entry.state = try row[4]
      entry.time = try row[5]
      if let answer: String = try row[6] {
        entry.message = [entry.message, "answered by \(answer)"].compactMap { $0 }
          .joined(separator: "; ")
      }
      return entry
    }
  }
}

extension RecordExplanation {
  /// The explanation as entries: the pulled row, the operations, the visible row, the waiting row
  /// and the conflicts.
  ///
  /// There are no entries if the row is unknown.
  fileprivate func entries(_ scope: ScopeIdentifier) -> [InspectedSyncEntry] {
    let isKnown =
      version != 0 || serverValues != nil || visibleValues != nil || blocked != nil
      || !operations.isEmpty || !conflicts.isEmpty
    guard isKnown else { return [] }
    var pulled = entry(.pulled, scope)
    (pulled.version, pulled.values) = (version, serverValues?.inspected)
    var visible = entry(.visible, scope)
    visible.values = visibleValues?.inspected
    return [pulled] + operations.map { inspected($0, scope) } + [visible]
      + (blocked.map { [$0.entry(scope.text)] } ?? [])
      + conflicts.map { conflict in
        var entry = conflict.conflict.entry(scope.text)
        entry.state = conflict.answer == nil ? "open" : "resolved"
        return entry
      }
  }

  private func entry(
    _ kind: InspectedSyncEntry.Kind, _ scope: ScopeIdentifier
  ) -> InspectedSyncEntry {
    InspectedSyncEntry(kind, scope: scope.text, table: table, row: dataIdentifier.text)
  }

  private func inspected(_ operation: Operation, _ scope: ScopeIdentifier) -> InspectedSyncEntry {
    var entry = entry(.operation, scope)
    entry.identifier = operation.operationIdentifier.text
    (entry.change, entry.state) = (operation.kind.rawValue, operation.progress.rawValue)
    entry.values = operation.inspectedValues
    if let conflict = operation.resolves { entry.message = "answers the conflict \(conflict)" }
    return entry
  }
}

extension BlockedRow {
  /// The row as an entry.
  func entry(_ scope: String) -> InspectedSyncEntry {
    var entry = InspectedSyncEntry(.blocked, scope: scope, table: table, row: dataIdentifier.text)
    entry.change = values == nil ? "delete" : "update"
    (entry.version, entry.message, entry.values) = (version, reason, values?.inspected)
    return entry
  }
}

extension SyncConflict {
  /// The conflict with its lost values as an entry.
  func entry(_ scope: String) -> InspectedSyncEntry {
    var entry = InspectedSyncEntry(
      .conflict, scope: scope, table: table, row: dataIdentifier.text)
    (entry.identifier, entry.change) = (conflictIdentifier.text, kind.rawValue)
    (entry.version, entry.time) = (version, operationAuthor.hybridTimestamp.milliseconds)
    entry.author = operationAuthor.replica.text
    entry.values = values.mapValues { InspectedValue($0.value) }
      .merging(increments.inspected) { value, _ in value }
    let facts = [
      policy.map { "policy \($0)" }, message,
      rowAuthor.map { "against a change of \($0.replica)" },
    ].compactMap { $0 }
    entry.message = facts.isEmpty ? nil : facts.joined(separator: "; ")
    return entry
  }
}
