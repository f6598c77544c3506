extension HistoryRun {
  /// Inserts the initial rows, and lets all devices pull them, without faults.
  ///
  /// The first row is synchronised before the others are inserted. The server never removes the
  /// tombstones of rows that a device inserts before its first contact, so compactions would
  /// otherwise remove no tombstone of an initial row.
  func begin() throws {
    guard plan.initialRows > 0, let first = sortedDevices.first else { return }
    trace?("all devices synchronise \(plan.initialRows) rows")
    var random = SimulationRandom(seed: plan.seed &+ 77)
    try insertRow(on: first, &random)
    try settle(&random)
    for _ in 1..<plan.initialRows {
      guard let device = random.element(of: sortedDevices) else { continue }
      try insertRow(on: device, &random)
    }
    try settle(&random)
    counters[.initialRows] += user.log.knownRows.count
  }

  private func insertRow(
    on device: SimulatedDevice, _ random: inout SimulationRandom
  ) throws {
    let seed = random.seed()
    context.advance(by: 500)
    context.reseed(seed)
    try edit(.insert, on: device, SimulationRandom(seed: seed))
  }
}
