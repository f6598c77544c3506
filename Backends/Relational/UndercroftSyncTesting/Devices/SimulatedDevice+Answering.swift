import UndercroftCore
import UndercroftSync

extension SimulatedDevice {
  /// Returns the conflicts that the user can answer.
  func openConflicts() throws -> [SyncConflict] {
    try shape.pulledScopes.flatMap { try replica(of: $0).openConflicts() }.compactMap { conflict in
      if case .lost(let lost) = conflict { lost } else { nil }
    }
  }

  /// Answers a conflict, and returns the changes of the row, or `nil` if nothing was committed.
  func answer(_ conflict: SyncConflict, _ user: inout SimulatedUser) throws -> SimulatedEdit? {
    guard let table = shape.tables.first(where: { $0.name == conflict.table }) else { return nil }
    let answer = choice(conflict, table, &user)
    let name = SimulatedRowName(table: table.name, identifier: conflict.dataIdentifier.text)
    let before = try rows().first { $0.name == name }
    let extras = try extraValues()[name, default: [:]].filter { column, _ in
      !table.values(in: schemaVersion).contains(column)
    }
    let operation: OperationIdentifier? = try run {
      try replica(of: table.scope).answer(conflict.conflictIdentifier, with: answer)
    }
    guard let operation else { return nil }
    let after = try rows().first { $0.name == name }
    var edit = SimulatedEdit()
    edit.answer = SimulatedAnswer(
      conflict: conflict.conflictIdentifier, row: name, operation: operation, device: number,
      restoredBits: answer == .lostValues ? conflict.lostBits(of: table.counter) : 0)
    if let before, after == nil {
      var seen = before.values.compactMapValues { $0 }
      seen.merge(extras) { first, _ in first }
      edit.writes = [
        SimulatedWrite(row: name, column: nil, value: "", before: seen, device: number)
      ]
      edit.deletedRows = [name]
    }
    if let after {
      var values = after.values.compactMapValues { $0 }
      // A lost value of a column that the device does not have is not visible.
      if case .lostValues = answer {
        for column in table.values(in: 2) where after.values[column] == nil {
          guard let lost = conflict.values[ExactString(column)] else { continue }
          values[column] = lost.value.shownText ?? ""
        }
      }
      let shown = before?.values.compactMapValues { $0 } ?? [:]
      let seen = shown.merging(extras) { first, _ in first }
      // An answer can also write NULL.
      for column in shown.keys where after.values[column] == .some(nil) { values[column] = "" }
      // An answer also writes a lost value that the server has, if the device does not have the
      // column. The value replaces that of an earlier answer that was not sent yet.
      let unknown = values.filter { after.values[$0.key] == nil }
      edit.writes = written(name, values, seen, always: Set(unknown.keys), before == nil)
      if before == nil { edit.insertedRows = [name] }
    }
    for index in edit.writes.indices {
      edit.writes[index].answered = conflict.conflictIdentifier
    }
    return edit
  }

  private func choice(
    _ conflict: SyncConflict, _ table: SimulatedTable, _ user: inout SimulatedUser
  ) -> ConflictAnswer {
    let lostBits = conflict.lostBits(of: table.counter)
    // If two devices restore the same increments, the server adds them twice.
    let isRestored = user.log.answers.contains {
      $0.conflict == conflict.conflictIdentifier && $0.restoredBits & lostBits != 0
    }
    switch user.random.below(3) {
    case 0: return .serverValues
    case 1: return isRestored ? .serverValues : .lostValues
    default:
      let known = table.values(in: schemaVersion).filter { conflict.values[ExactString($0)] != nil }
      let column = user.random.element(of: known) ?? table.values[0]
      return .values([ExactString(column): .text(user.log.makeValue())])
    }
  }

  /// Returns the changes of the columns whose values differ from those that the user saw, and of
  /// the columns in `always`.
  private func written(
    _ row: SimulatedRowName, _ values: [String: String], _ seen: [String: String],
    always: Set<String>, _ isReinsertion: Bool
  ) -> [SimulatedWrite] {
    values.keys.sorted().compactMap { column in
      guard let value = values[column], value != seen[column] || always.contains(column) else {
        return nil
      }
      return SimulatedWrite(
        row: row, column: column, value: value, before: seen.filter { $0.key == column },
        device: number, isReinsertion: isReinsertion)
    }
  }
}

extension SyncConflict {
  /// Returns the additions to a counter that the answer ``ConflictAnswer/lostValues`` applies.
  fileprivate func lostBits(of counter: String) -> Int64 {
    let increment = increments[ExactString(counter)] ?? 0
    guard case .integer(let value)? = values[ExactString(counter)]?.value else { return increment }
    return increment | value
  }
}
