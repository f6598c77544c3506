import UndercroftCore
import UndercroftSQLite
import UndercroftSync

extension HistoryRun {
  /// Checks that the answered conflicts are closed on the server and on all devices, and that no
  /// other conflicts are closed.
  ///
  /// If the server was restored from a backup, nothing is checked, because answered conflicts can
  /// be open again.
  ///
  /// - Parameter conflicts: all conflicts that the server stores.
  func checkAnswers(to conflicts: [SyncConflict]) throws {
    guard !server.hasLostTimeline else { return }
    let resolutions = Dictionary(
      conflicts.map { ($0.conflictIdentifier, $0.resolvedBy) }, uniquingKeysWith: { $1 })
    for (conflict, operation) in resolutions {
      guard let operation else { continue }
      try requireAnswer(to: conflict, operation, "the server")
    }
    for answer in user.log.answers where !answer.isWithdrawn {
      guard let resolution = resolutions[answer.conflict], resolution == nil else { continue }
      throw SimulationViolation(
        .answers,
        """
        device \(answer.device) has answered the conflict \(answer.conflict), but the conflict \
        is still open on the server
        """)
    }
    for device in sortedDevices {
      for (conflict, operation) in try device.resolutions() {
        if let resolution = resolutions[conflict], resolution != operation {
          throw SimulationViolation(
            .answers,
            """
            the server and device \(device.number) store different operations that closed the \
            conflict \(conflict): the server stores \
            \(resolution.map { "the operation \($0)" } ?? "no operation"), and the device stores \
            \(operation.map { "the operation \($0)" } ?? "no operation")
            """)
        }
        if let operation { try requireAnswer(to: conflict, operation, "device \(device.number)") }
      }
    }
  }

  /// Throws ``SimulationViolation`` unless `operation` contains the answer of a user to `conflict`.
  private func requireAnswer(
    to conflict: ConflictIdentifier, _ operation: OperationIdentifier, _ owner: String
  ) throws {
    let isKnown = user.log.answers.contains {
      $0.conflict == conflict && $0.operation == operation
    }
    guard !isKnown else { return }
    throw SimulationViolation(
      .answers,
      """
      \(owner) has closed the conflict \(conflict) with the operation \(operation), which does not \
      answer the conflict
      """)
  }

  /// Returns the rows and the conflicts of the server, and the conflicts of the devices.
  func finalState(
    _ rows: [SimulatedRowName: PulledRow], _ conflicts: [SyncConflict]
  ) throws -> FinalState {
    var final = FinalState(
      rows: rows.mapValues { simulatedRow($0, schemaVersion: 2, among: rows) },
      conflictsByValue: [:], restoredRows: [], parkedRows: [])
    for conflict in conflicts {
      let name = SimulatedRowName(
        table: conflict.table, identifier: conflict.dataIdentifier.text)
      for value in conflict.values.values.compactMap(\.value.shownText) {
        final.conflictsByValue[value, default: []].insert(conflict.conflictIdentifier)
      }
      switch conflict.kind {
      case .open:
        final.restoredRows.insert(name)
        final.parkedRows.insert(name)
      case .deletionLost, .rowRestored: final.restoredRows.insert(name)
      case .stale, .rejected, .groupAborted, .conditionNotMet: final.parkedRows.insert(name)
      default: break
      }
    }
    for device in sortedDevices { try addConflicts(of: device, to: &final) }
    return final
  }

  /// Adds the conflicts that a device stores to the final state.
  ///
  /// The values of an operation that the server has not applied may exist only on the device of the
  /// author.
  private func addConflicts(of device: SimulatedDevice, to final: inout FinalState) throws {
    try device.database.read { db in
      try db.forEach(
        """
        SELECT table_name, identifier, body,
          kind IN ('open', 'stale', 'rejected', 'group_aborted', 'no_match'), conflict_id
        FROM sync_conflict
        """
      ) { row in
        let body: String = try row[2]
        let identifier = ConflictIdentifier(try row[4])
        for value in body.split(separator: "\"") where value.first == "v" {
          final.conflictsByValue[String(value), default: []].insert(identifier)
        }
        if try row[3] {
          final.parkedRows.insert(SimulatedRowName(table: try row[0], identifier: try row[1]))
        }
      }
    }
  }
}

extension SimulatedDevice {
  /// Returns, for each conflict of the device, the operation that has answered the conflict, or
  /// `nil` if the conflict is open.
  fileprivate func resolutions() throws -> [ConflictIdentifier: OperationIdentifier?] {
    var resolutions: [ConflictIdentifier: OperationIdentifier?] = [:]
    try database.read { db in
      try db.forEach(
        "SELECT conflict_id, resolved_by, state FROM sync_conflict WHERE kind <> 'blocked'"
      ) { row in
        let operation = (try row[1] as String?).map { OperationIdentifier($0) }
        let isOpen = try row[2] as String == "open"
        resolutions[ConflictIdentifier(try row[0])] = .some(isOpen ? nil : operation)
      }
    }
    return resolutions
  }
}
