import UndercroftCore
import UndercroftSync

/// A version, a cursor or a sequence number, which must not decrease within a history of the server
/// and a generation of the replica.
private struct ReachedValue {
  let scope: ScopeIdentifier
  let history: String
  let name: String
  let value: Int64

  var key: String { "\(history) \(name)" }
}

extension HistoryRun {
  /// Checks the database of a device and the store of the server.
  ///
  /// Throws if the version of a row or the applied cursor of a scope on the device, or the last
  /// sequence number of a replica or the latest version of a scope on the server, is smaller than
  /// at the previous check. Values of the device are compared only within one history of the server
  /// and one generation of the replica. Also throws if a counter in the database of the device
  /// contains an increment more than once, or if the server has applied only a part of an atomic
  /// group.
  func checkStep(_ device: SimulatedDevice) throws {
    try checkServerProgress()
    let versions = try device.versions()
    let reached = try plan.shape.scopes.flatMap { scope in
      let state = try device.replica(of: scope).state()
      let history = "\(scope) \(state.epoch?.text ?? "") \(state.generation)"
      return versions.filter { plan.shape.scope(of: $0.key.table) == scope }
        .map {
          ReachedValue(
            scope: scope, history: history, name: "version of \($0.key)", value: $0.value)
        } + [
          ReachedValue(
            scope: scope, history: history, name: "applied cursor", value: state.appliedCursor)
        ]
    }
    try Self.check(reached, of: "device \(device.number)", &device.progress)
    try checkShownIncrements(device)
  }

  private func checkServerProgress() throws {
    let reached = try plan.shape.scopes.flatMap { scope in
      try server.store.inspect(scope) { reader in
        try reader.replicas().map {
          ReachedValue(
            scope: scope, history: scope.text,
            name: "last sequence number of the replica \(quoted($0.replica.text))",
            value: $0.lastSequence)
        } + [
          ReachedValue(
            scope: scope, history: scope.text, name: "latest version",
            value: reader.scope()?.head ?? 0)
        ]
      }
    }
    try Self.check(reached, of: "the server", &serverProgress)
    try server.checkGroups(hasCopies: counters[.clones] + counters[.restores] > 0)
  }

  /// Throws if a version in `reached` is smaller than the version with the same name in `progress`.
  ///
  /// Otherwise, replaces `progress` with the versions in `reached`. This also removes the entries
  /// of rows that are no longer stored. A row that is inserted again under the same name begins
  /// with version 0, which is not an error.
  private static func check(
    _ reached: [ReachedValue], of owner: String, _ progress: inout [String: Int64]
  ) throws {
    var next: [String: Int64] = [:]
    for reached in reached.sorted(by: { $0.key < $1.key }) {
      if let before = progress[reached.key], reached.value < before {
        throw SimulationViolation(
          .monotony,
          """
          in the scope \(quoted(reached.scope.text)), the \(reached.name) decreased on \(owner) \
          from \(before) to \(reached.value)
          """)
      }
      next[reached.key] = reached.value
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
          device \(device.number) has applied an increment of the row \(row.name) more than once: \
          the counter is 0b\(String(row.counter, radix: 2)), but the sum of all increments, each \
          of which adds a different bit, is 0b\(String(bits, radix: 2))
          """)
      }
    }
  }
}
