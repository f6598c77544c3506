import UndercroftCore
import UndercroftSync

extension SimulatedDevice {
  /// Updates or deletes, in one operation, all rows that meet a random condition.
  ///
  /// Returns the changes, or `nil` if nothing was committed.
  func batch(
    _ rows: [SimulatedRow], deletes: Bool, _ user: inout SimulatedUser
  ) throws -> SimulatedEdit? {
    guard let table = user.random.element(of: shape.pulledTables),
      let column = user.random.element(of: table.values(in: schemaVersion)),
      let condition = condition(on: table, rows, &user)
    else { return nil }
    let value = user.log.makeValue()
    let operation: RowOperation =
      deletes
      ? .delete(table.name, where: condition)
      : .update(table.name, where: condition, [ExactString(column): .text(value)])
    let extras = try extraValues()
    let isDone: Bool? = try run {
      try replica(of: table.scope).perform(operation)
      return true
    }
    guard isDone == true else { return nil }
    let after = Dictionary(
      try self.rows().map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var edit = SimulatedEdit(isBatch: true)
    for row in rows where row.name.table == table.name {
      if deletes {
        var before = row.values.compactMapValues { $0 }
        before.merge(extras[row.name] ?? [:]) { first, _ in first }
        var write = SimulatedWrite(
          row: row.name, column: nil, value: "", before: before, device: number)
        write.isPossible = after[row.name] != nil
        edit.writes.append(write)
        if !write.isPossible { edit.deletedRows.append(row.name) }
      } else {
        var writes = written(row, [column], [value])
        for index in writes.indices {
          writes[index].isPossible = after[row.name]?.values[column] != value
        }
        edit.writes += writes
      }
    }
    let shown = Set(rows.map(\.name))
    for row in user.log.knownRows where row.table == table.name && !shown.contains(row) {
      edit.writes.append(hidden(row, deletes ? nil : column, deletes ? "" : value, user.log))
    }
    return edit
  }

  /// Returns the possible change of a row that the device does not show when it performs a batch.
  ///
  /// If another device has deleted the row, an earlier change of this device can restore the row on
  /// the server, where the batch then changes it.
  private func hidden(
    _ row: SimulatedRowName, _ column: String?, _ value: String, _ log: WriteLog
  ) -> SimulatedWrite {
    let own = log.values(of: row, by: number)
    var write = SimulatedWrite(
      row: row, column: column, value: value,
      before: column.map { column in own.filter { $0.key == column } } ?? own, device: number)
    write.isPossible = true
    return write
  }

  /// Returns a random condition on the rows of a table, or `nil` if no row has a value to compare
  /// with.
  private func condition(
    on table: SimulatedTable, _ rows: [SimulatedRow], _ user: inout SimulatedUser
  ) -> RowCondition? {
    let column = user.random.element(of: table.values(in: 1))
    let known = rows.filter { $0.name.table == table.name }
    guard let column, let row = user.random.element(of: known),
      let value = row.values[column] ?? nil
    else { return nil }
    let bound = RowCondition.column(
      ExactString(column), user.random.choose(.less, .lessOrEqual, .greater, .equal),
      .text(value))
    let others = known.filter { _ in user.random.chance(0.3) }
    return switch user.random.below(4) {
    case 0: .identifiers(Set(others.map { DataIdentifier($0.name.identifier) }))
    case 1: .any([bound, .column(ExactString(column), .equal, .null)])
    case 2: .not(bound)
    default: bound
    }
  }
}
