extension HistoryRun {
  /// Inserts the initial rows, and lets all devices pull them, without faults.
  ///
  /// The first row is synchronised before the others are inserted, so that all devices have had
  /// contact with the server. The server never removes the tombstones of rows that a device
  /// inserted before its first contact. If all initial rows were inserted first, compactions would
  /// remove none of their tombstones.
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
