import UndercroftCore
import UndercroftSync

extension HistoryRun {
  /// Lets a user answer a random open conflict, on another device if this device has none.
  ///
  /// Sometimes the user answers the conflict a second time, or passes an identifier that belongs to
  /// no conflict. The device must refuse both. Sometimes another device answers the same conflict
  /// before it receives the first answer.
  func answer(on device: SimulatedDevice, _ random: SimulationRandom) throws {
    user.random = random
    if user.random.chance(0.1) {
      let unknown = ConflictIdentifier("unknown \(user.random.below(100))")
      try expectRefusal(of: unknown, by: device.replica(of: plan.shape.scopes[0]), on: device)
    }
    let candidates = try sortedDevices.filter { try !$0.openConflicts().isEmpty }
    let isCandidate = candidates.contains { $0 === device }
    guard let device = isCandidate ? device : user.random.element(of: candidates) else { return }
    let open = try device.openConflicts()
    let waiting = open.filter { $0.kind == .open }
    let prefersWaiting = user.random.chance(0.7) && !waiting.isEmpty
    guard let conflict = user.random.element(of: prefersWaiting ? waiting : open),
      let edit = try answer(conflict, on: device)
    else { return }
    try record(edit, to: conflict, on: device)
    if user.random.chance(0.2) {
      let replica = device.replica(of: plan.shape.scope(of: conflict.table))
      try expectRefusal(of: conflict.conflictIdentifier, by: replica, on: device)
    }
    guard user.random.chance(0.5) else { return }
    let others = try sortedDevices.filter { other in
      try other !== device
        && other.openConflicts().contains { $0.conflictIdentifier == conflict.conflictIdentifier }
    }
    guard let other = user.random.element(of: others),
      let second = try answer(conflict, on: other)
    else { return }
    counters[.doubleAnswers] += 1
    try record(second, to: conflict, on: other)
  }

  /// Answers a conflict, and returns the changes.
  ///
  /// A message since the last check of the device can have removed the record that the replica
  /// stores about the row. The answer then creates the record again with a lower version. So this
  /// function first checks the device, which removes the old version from
  /// ``SimulatedDevice/progress``.
  private func answer(
    _ conflict: SyncConflict, on device: SimulatedDevice
  ) throws -> SimulatedEdit? {
    try checkStep(device)
    return try device.answer(conflict, &user)
  }

  private func record(
    _ edit: SimulatedEdit, to conflict: SyncConflict, on device: SimulatedDevice
  ) throws {
    counters[.answers] += 1
    trace?(
      """
        device \(device.number) answers the conflict \(conflict.conflictIdentifier) \
      (\(conflict.kind.rawValue)) of \(conflict.table)/\(conflict.dataIdentifier)
      """)
    try record(edit, on: device)
  }

  /// Checks that a device refuses an answer to a conflict that is unknown to the device or already
  /// has an answer.
  private func expectRefusal(
    of conflict: ConflictIdentifier, by replica: Replica, on device: SimulatedDevice
  ) throws {
    let operation: OperationIdentifier?
    do {
      operation = try device.run { try replica.answer(conflict, with: .serverValues) }
    } catch let error as StorageError where error.code == .misuse {
      return counters[.refusedAnswers] += 1
    }
    guard operation != nil else { return }
    throw SimulationViolation(
      .answers,
      """
      device \(device.number) has accepted an answer to the conflict \(conflict), although the \
      conflict is unknown to the device or already has an answer
      """)
  }

  // MARK: The end

  /// Answers all open conflicts, device by device, and checks that the server applies every answer
  /// and that no conflict remains open.
  ///
  /// No other device makes a change meanwhile, so the server has no reason to reject an answer.
  func answerOpenConflicts() throws {
    trace?("users answer all open conflicts")
    var random = SimulationRandom(seed: plan.seed &+ 55)
    for device in sortedDevices {
      let open = try device.openConflicts()
      guard !open.isEmpty else { continue }
      user.random = SimulationRandom(seed: random.seed())
      for conflict in open {
        context.advance(by: 500)
        context.reseed(random.seed())
        guard let edit = try device.answer(conflict, &user) else { continue }
        counters[.finalAnswers] += 1
        try record(edit, to: conflict, on: device)
      }
      let shown = try device.valuesByRow()
      try settle(&random)
      let applied = try device.valuesByRow()
      for name in Set(shown.keys).union(applied.keys).sorted(by: { "\($0)" < "\($1)" })
      where shown[name] != applied[name] {
        throw SimulationViolation(
          .answers,
          """
          after all conflicts were answered on device \(device.number), the device showed \
          \(name) as (\(shown[name] ?? "no row")), but after the synchronisation the device shows \
          (\(applied[name] ?? "no row"))
          """)
      }
    }
    for device in sortedDevices {
      guard let open = try device.openConflicts().first else { continue }
      throw SimulationViolation(
        .answers,
        """
        device \(device.number) has the open conflict \(open.conflictIdentifier) after all \
        conflicts were answered
        """)
    }
    try checkEnd()
  }
}

extension SimulatedDevice {
  /// Returns the values and the counter of each visible row.
  ///
  /// References are not included: an answer can insert a row again to which other rows refer on the
  /// server, and the device shows these references after it has pulled the row.
  fileprivate func valuesByRow() throws -> [SimulatedRowName: String] {
    try rows().reduce(into: [:]) { values, row in
      var row = row
      row.reference = nil
      values[row.name] = row.description
    }
  }
}
