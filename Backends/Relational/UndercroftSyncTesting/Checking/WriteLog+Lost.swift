import UndercroftSync

/// The rows of the server at the end of a simulated history, and the conflicts of the server and
/// the devices.
struct FinalState {
  /// The rows that are not deleted.
  var rows: [SimulatedRowName: SimulatedRow]
  /// The conflicts that contain each lost value.
  var conflictsByValue: [String: Set<ConflictIdentifier>]
  /// The rows for which a conflict records that a deletion was not applied or that the user must
  /// decide.
  var restoredRows: Set<SimulatedRowName>
  /// The rows for which a conflict records that a whole operation was not applied.
  var parkedRows: Set<SimulatedRowName>
}

/// A value of a column of a row that a user has written.
///
/// Two answers to conflicts can restore the same value.
private struct WrittenCell: Hashable {
  let row: SimulatedRowName
  let column: String
  let value: String
}

extension WriteLog {
  /// Throws if a change was lost without a conflict, or if a deleted row exists without a reason.
  ///
  /// A change is not lost if its value remains, if a conflict contains the value, if another user
  /// saw the value and made a change that is not lost, or if another change that is not lost wrote
  /// the same value.
  func checkLostWrites(_ final: FinalState) throws {
    let graph = successors()
    let restored = restoredRows.union(writes.lazy.filter(\.isReinsertion).map(\.row))
    var isKept = writes.indices.map { remains($0, final, restored) }
    var keptCells: Set<WrittenCell> = []
    var lastCount = -1
    // The loop ends when nothing changes, because an answer can write a value again that another
    // user has already seen and replaced.
    while lastCount != isKept.count(where: { $0 }) {
      lastCount = isKept.count { $0 }
      for index in writes.indices.reversed() {
        let cell = cell(of: writes[index])
        isKept[index] =
          isKept[index] || graph[index].contains { isKept[$0] }
          || cell.map { keptCells.contains($0) } ?? false
        if isKept[index], let cell { keptCells.insert(cell) }
      }
    }
    for index in writes.indices where !isKept[index] && !writes[index].isPossible {
      let row = final.rows[writes[index].row].map(\.description) ?? "no row"
      throw SimulationViolation(
        .noLostUpdate,
        "a change was lost without a conflict: \(writes[index]), but the server has \(row)")
    }
    try checkDeletions(final, restored)
  }

  private func remains(
    _ index: Int, _ final: FinalState, _ restored: Set<SimulatedRowName>
  ) -> Bool {
    let write = writes[index]
    if write.isWithdrawn { return true }
    let row = final.rows[write.row]
    guard let column = write.column else {
      return row == nil || restored.contains(write.row) || final.restoredRows.contains(write.row)
        || final.parkedRows.contains(write.row)
    }
    // No conflict contains a lost NULL.
    if write.value.isEmpty || row?.values[column] == write.value { return true }
    // The conflict that the change answers contains the value from before the answer.
    return final.conflictsByValue[write.value]?.contains { $0 != write.answered } ?? false
  }

  private func cell(of write: SimulatedWrite) -> WrittenCell? {
    write.column.map { WrittenCell(row: write.row, column: $0, value: write.value) }
  }

  /// Returns for each write the indices of the writes whose users saw its value.
  private func successors() -> [[Int]] {
    var readers: [WrittenCell: [Int]] = [:]
    for (index, write) in writes.enumerated() {
      for (column, value) in write.before {
        let cell = WrittenCell(row: write.row, column: column, value: value)
        readers[cell, default: []].append(index)
      }
    }
    var graph = writes.map { write in cell(of: write).flatMap { readers[$0] } ?? [] }
    // An insertion of the same row replaces what its device has written before, even if the user
    // did not see it because another device had deleted the row. So does an answer, even if the
    // device does not have the column.
    for (index, write) in writes.enumerated() where write.isReinsertion || write.answered != nil {
      for earlier in writes.indices.prefix(index)
      where writes[earlier].row == write.row && writes[earlier].device == write.device
        && writes[earlier].column == write.column
      {
        graph[earlier].append(index)
      }
    }
    // A deletion replaces what its device has written by answers, even if the device does not have
    // the column.
    for (index, write) in writes.enumerated() where write.column == nil {
      for earlier in writes.indices.prefix(index)
      where writes[earlier].row == write.row && writes[earlier].device == write.device
        && writes[earlier].answered != nil && writes[earlier].column != nil
      {
        graph[earlier].append(index)
      }
    }
    return graph
  }

  private func checkDeletions(
    _ final: FinalState, _ restored: Set<SimulatedRowName>
  ) throws {
    for row in deletedRows.sorted(by: { $0.description < $1.description })
    where final.rows[row] != nil && !restored.contains(row) && !final.restoredRows.contains(row)
      && !final.parkedRows.contains(row)
      && writes.contains(where: {
        $0.row == row && $0.column == nil && !$0.isWithdrawn && !$0.isPossible
      })
    {
      throw SimulationViolation(
        .deletion,
        """
        a device has deleted the row \(row), but the server still contains the row, and no \
        conflict states the reason
        """)
    }
  }
}
