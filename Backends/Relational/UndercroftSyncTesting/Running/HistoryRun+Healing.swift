import UndercroftCore
import UndercroftSync

extension HistoryRun {
  /// The maximum number of rounds until all devices are synchronised.
  private static let maximumRounds = 80
  /// The number of recorded messages that are repeated at the end.
  private static let repeatedMessages = 60

  /// Makes the network reliable, and lets the devices synchronise until nothing remains to be done.
  func heal() throws {
    trace?("the network is reliable from now on")
    network.heal()
    var random = SimulationRandom(seed: plan.seed &+ 99)
    try settle(&random)
  }

  /// Lets the devices synchronise until nothing remains to be done.
  ///
  /// - Precondition: the network is reliable.
  func settle(_ random: inout SimulationRandom) throws {
    for _ in 0..<Self.maximumRounds {
      for device in sortedDevices {
        for scope in plan.shape.scopes { try synchronise(scope, of: device, &random) }
      }
      if try replicas.allSatisfy({ try isIdle($0.replica) }) { return }
    }
    let reports = try replicas.filter { try !isIdle($0.replica) }.map { device, replica in
      """
      device \(device), scope \(quoted(replica.scope.text)), queue \(try replica.queue()), \
      state \(try replica.state())
      """
    }
    throw SimulationViolation(
      .quiescence,
      """
      after \(Self.maximumRounds) rounds over a network without faults, the synchronisation is \
      still incomplete: \(reports.joined(separator: "; "))
      """)
  }

  /// The replica of each scope of each device, with the number of the device.
  private var replicas: [(device: Int, replica: Replica)] {
    sortedDevices.flatMap { device in
      plan.shape.scopes.map { (device.number, device.replica(of: $0)) }
    }
  }

  private func synchronise(
    _ scope: ScopeIdentifier, of device: SimulatedDevice, _ random: inout SimulationRandom
  ) throws {
    let replica = device.replica(of: scope)
    context.reseed(random.seed())
    context.advance(by: 100)
    _ = try replica.execute(limit: 1000)
    if try replica.state().epoch != nil {
      _ = try replica.seal(limit: 1000)
      try push(replica, of: device, operations: 5, share: 1.1, &random)
    }
    try exchange()
    guard !plan.shape.isOneWay(scope) else {
      return try pull(replica, of: device, limit: 1, &random)
    }
    for _ in 0..<40 {
      try pull(replica, of: device, limit: 5, &random)
      try exchange()
      context.reseed(random.seed())
      _ = try replica.execute(limit: 1000)
      let state = try replica.state()
      let (head, epoch) = (try server.head(of: scope), try server.epoch(of: scope))
      if state.mode == .incremental, state.downloadCursor >= head, state.epoch == epoch { break }
    }
  }

  /// Delivers the requests and then the answers.
  private func exchange() throws {
    for _ in 0..<2 {
      network.advance()
      try deliver()
    }
  }

  private func isIdle(_ replica: Replica) throws -> Bool {
    let state = try replica.state()
    let queue = try replica.queue()
    guard !plan.shape.isOneWay(replica.scope) else { return queue.isEmpty }
    let (head, epoch) = (
      try server.head(of: replica.scope), try server.epoch(of: replica.scope)
    )
    return state.appliedCursor >= head && state.epoch == epoch && queue.isEmpty
  }

  /// Delivers the last messages again, and throws ``SimulationViolation`` if a row changes.
  func repeatMessages() throws {
    trace?("earlier messages arrive again")
    let before = try sortedDevices.map { try $0.rows().map(\.description) }
    for message in delivered.suffix(Self.repeatedMessages)
    where try server.hasProcessed(message) { network.send(message) }
    try exchange()
    try heal()
    try checkEnd()
    let after = try sortedDevices.map { try $0.rows().map(\.description) }
    guard before == after else {
      let changed = sortedDevices.indices.filter { before[$0] != after[$0] }
        .map { "device \(sortedDevices[$0].number)" }.joined(separator: ", ")
      throw SimulationViolation(
        .idempotence, "earlier messages that arrived again have changed rows of \(changed)")
    }
  }
}
