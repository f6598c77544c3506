import UndercroftSync

extension HistoryRun {
  /// Checks after a step of a device that versions never decrease, and that no increment is shown
  /// twice.
  func checkStep(_ device: SimulatedDevice) throws {
    try checkServerProgress()
    let state = try device.replica.state()
    let history = "\(state.epoch?.text ?? "") \(state.generation)"
    var reached = try device.versions().map { ("version of \($0.key)", $0.value) }
    reached.append(("applied cursor", state.appliedCursor))
    try Self.check(reached, in: history, of: "device \(device.number)", &device.progress)
    try checkShownIncrements(device)
  }

  private func checkServerProgress() throws {
    let reached = try server.store.inspect(SimulatedDevice.scope) { reader in
      try reader.replicas().map { ("last operation of \($0.replica)", $0.lastSequence) }
        + [("version", reader.scope()?.head ?? 0)]
    }
    try Self.check(reached, in: "", of: "the server", &serverProgress)
    try server.checkGroups(hasCopies: counters[.clones] + counters[.restores] > 0)
  }

  /// Throws if a value in `reached` is smaller than the value of the same name in `progress`.
  ///
  /// Otherwise, replaces `progress` by the values in `reached`. A row that is no longer stored is
  /// removed from `progress`, because a later row with the same name begins with version 0 again.
  private static func check(
    _ reached: [(name: String, value: Int64)], in history: String, of owner: String,
    _ progress: inout [String: Int64]
  ) throws {
    var next: [String: Int64] = [:]
    for (name, value) in reached.sorted(by: { $0.name < $1.name }) {
      let key = "\(history) \(name)"
      if let before = progress[key], value < before {
        throw SimulationViolation(
          .monotony, "the \(name) of \(owner) decreased from \(before) to \(value)")
      }
      next[key] = value
    }
    progress = next
  }

  /// Checks that no counter on a device contains a bit that no user has added to this counter.
  ///
  /// Each addition has a bit of its own, so an addition that is applied twice changes another bit.
  private func checkShownIncrements(_ device: SimulatedDevice) throws {
    guard !server.hasLostTimeline, counters[.clones] == 0, counters[.restores] == 0,
      server.counters[.compactions] == 0
    else { return }
    for row in try device.rows() where !user.log.deletedRows.contains(row.name) {
      let bits = user.log.bits(of: row.name)
      guard row.counter >= 0, row.counter & ~bits == 0 else {
        throw SimulationViolation(
          .exactlyOnce,
          """
          device \(device.number) has applied an increment of \(row.name) twice: the counter is \
          0b\(String(row.counter, radix: 2)), but the increments of all users are \
          0b\(String(bits, radix: 2))
          """)
      }
    }
  }
}
