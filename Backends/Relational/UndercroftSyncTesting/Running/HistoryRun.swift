import UndercroftCore
import UndercroftFoundation
import UndercroftSync

/// The execution of one history.
final class HistoryRun {
  let plan: SimulationPlan
  let context: SimulationContext
  let server: SimulatedServer
  var devices: [Int: SimulatedDevice] = [:]
  var network = SimulatedNetwork()
  var user: SimulatedUser
  var counters = SimulationCounters()
  /// The backups of files, each with the number of its device and the numbers of entries in the log
  /// when the backup was made.
  var backups: [(device: Int, file: SimulatedFile, mark: WriteLog.Mark)] = []
  /// The messages that arrived.
  var delivered: [SimulatedMessage] = []
  /// A closure that receives a line of text for each step and message, or `nil`.
  let trace: ((String) -> Void)?
  /// The versions and sequence numbers that the server has reached, which must not decrease.
  ///
  /// The values are cleared when a backup of the server is restored.
  var serverProgress: [String: Int64] = [:]

  init(_ plan: SimulationPlan, trace: ((String) -> Void)? = nil) throws {
    self.plan = plan
    self.trace = trace
    context = SimulationContext(mutations: plan.mutations)
    context.reseed(plan.seed)
    server = try SimulatedServer(plan, context: context)
    user = SimulatedUser(
      random: SimulationRandom(seed: plan.seed), log: WriteLog(), profile: plan.profile)
    for (number, device) in plan.devices.sorted(by: { $0.key < $1.key }) {
      context.reseed(plan.seed &+ UInt64(number))
      let file = try SimulatedFile(
        plan.shape, schemaVersion: device.schemaVersion, skew: device.skew, context: context)
      devices[number] = SimulatedDevice(
        number, file: file, shape: plan.shape, skew: device.skew, context: context)
    }
  }

  var sortedDevices: [SimulatedDevice] {
    devices.values.sorted { $0.number < $1.number }
  }

  /// Runs all steps, lets the devices synchronise without faults, and checks the result.
  func run() throws -> SimulationCounters {
    try begin()
    network.disturb(plan)
    for (index, step) in plan.steps.enumerated() {
      trace?("step \(index): \(step)")
      try run(step)
    }
    try heal()
    try checkEnd()
    try repeatMessages()
    try answerOpenConflicts()
    try countEnd()
    return counters
  }

  // MARK: Steps

  private func run(_ step: SimulationStep) throws {
    guard let device = devices[step.device] else { return }
    var random = SimulationRandom(seed: step.seed)
    network.advance()
    context.advance(by: random.choose(1, 10, 500, 5000))
    context.reseed(step.seed)
    device.fuse = step.deviceFuse
    server.store.setFuse(step.serverFuse)
    try perform(step, on: device, &random)
    try deliver()
    device.fuse = nil
    server.store.setFuse(nil)
    try checkStep(device)
  }

  private func perform(
    _ step: SimulationStep, on device: SimulatedDevice, _ random: inout SimulationRandom
  ) throws {
    let scope = step.scope(in: plan.shape)
    switch step.action {
    case .insert, .reinsert, .update, .updateMany, .upsert, .replace, .delete, .group:
      try edit(step.action, on: device, random)
    case .answer: try answer(on: device, random)
    case .seal, .push, .pull, .execute:
      try withLease(of: scope, on: device, step) {
        try synchronise(step.action, scope, on: device, &random)
      }
    case .upgrade:
      let version = device.schemaVersion
      try device.upgrade()
      if device.schemaVersion != version { counters[.upgrades] += 1 }
    case .backUp, .restore, .clone: try copyFile(step.action, of: device, &random)
    case .compact: try server.compact(scope, &random)
    case .backUpServer: server.backUp()
    case .restoreServer:
      server.store.setFuse(nil)
      try server.restore()
      if server.hasLostTimeline { serverProgress = [:] }
    }
  }

  /// Makes one step of a synchronisation.
  private func synchronise(
    _ action: SimulationAction, _ scope: ScopeIdentifier, on device: SimulatedDevice,
    _ random: inout SimulationRandom
  ) throws {
    let replica = device.replica(of: scope)
    switch action {
    case .seal:
      let limit = 1 + random.below(6)
      _ = try device.run { try replica.seal(limit: limit) }
    case .push:
      try push(replica, of: device, operations: 1 + random.below(3), share: 0.7, &random)
    case .pull: try pull(replica, of: device, limit: random.choose(1, 2, 3, 10), &random)
    default:
      let limit = random.choose(1, 2, 5, 50)
      _ = try device.run { try replica.execute(limit: limit) }
    }
  }

  /// Runs `body` for one of the two processes of a device if this process gets the lease, and then
  /// releases the lease in half of the cases.
  ///
  /// A separate random generator chooses the process. If the device has one process, runs only
  /// `body`.
  private func withLease(
    of scope: ScopeIdentifier, on device: SimulatedDevice, _ step: SimulationStep,
    _ body: () throws -> Void
  ) throws {
    guard plan.hasTwoProcesses else { return try body() }
    var random = SimulationRandom(seed: step.seed ^ 0x3e3e_3e3e_3e3e_3e3e)
    let process = 1 + random.below(2)
    guard try device.acquireLease(of: scope, for: process) else {
      trace?("  process \(process) does not get the lease")
      counters[.refusedLeases] += 1
      return
    }
    try body()
    if random.chance(0.5) { try device.releaseLease(of: scope, by: process) }
  }

  func edit(
    _ action: SimulationAction, on device: SimulatedDevice, _ random: SimulationRandom
  ) throws {
    user.random = random
    guard let edit = try device.edit(action, &user) else { return }
    counters[.edits] += 1
    try record(edit, on: device)
  }

  /// Adds the changes of a user to the log.
  func record(_ edit: SimulatedEdit, on device: SimulatedDevice) throws {
    user.log.append(edit.writes)
    for increment in edit.increments { user.log.append(increment) }
    if let answer = edit.answer { user.log.append(answer) }
    for row in edit.insertedRows {
      user.log.noteInsertion(of: row)
      if edit.answer != nil { user.log.noteRestoration(of: row) }
    }
    for write in edit.writes { trace?("  \(write)") }
    for increment in edit.increments where increment.bit != 0 {
      trace?("  adds \(String(increment.bit, radix: 2)) to \(increment.row)")
    }
    if edit.isBatch { counters[.batches] += 1 }
    if edit.group != nil { counters[.groups] += 1 }
    for row in edit.deletedRows {
      user.log.noteDeletion(of: row)
      // The device no longer has a record of the row, so the row was never sent.
      if try !device.knows(row) {
        user.log.withdraw(row, by: plan.profile.hasClones ? nil : device.number)
      }
    }
  }

  func push(
    _ replica: Replica, of device: SimulatedDevice, operations: Int, share: Double,
    _ random: inout SimulationRandom
  ) throws {
    let packets = try replica.packets(operations: operations, bytes: 1 << 20)
    for packet in packets where random.chance(share) {
      trace?(
        "  sends operations \(packet.operations.map { "\($0.sequence) \($0.operationIdentifier)" })"
      )
      network.send(
        SimulatedMessage(
          endpoint: .push, device: device.number, request: try packet.encoded(),
          seed: random.seed()))
    }
  }

  func pull(
    _ replica: Replica, of device: SimulatedDevice, limit: Int, _ random: inout SimulationRandom
  ) throws {
    guard !plan.shape.isOneWay(replica.scope) else {
      return try greet(replica, of: device, &random)
    }
    let request = try replica.pullRequest(limit: limit)
    network.send(
      SimulatedMessage(
        endpoint: .pull, device: device.number, request: try request.encoded(),
        seed: random.seed()))
  }

  /// Sends the first request of a replica that never pulls, whose answer contains the present
  /// history of the server.
  private func greet(
    _ replica: Replica, of device: SimulatedDevice, _ random: inout SimulationRandom
  ) throws {
    let request = HelloRequest(
      replica: try replica.state().replica, account: SimulatedDevice.account,
      schemaVersion: Int64(device.schemaVersion), scopes: [replica.scope], startTime: context.now)
    network.send(
      SimulatedMessage(
        endpoint: .hello, device: device.number, request: try request.encoded(),
        seed: random.seed()))
  }

  // MARK: Copies of files

  private func copyFile(
    _ action: SimulationAction, of device: SimulatedDevice, _ random: inout SimulationRandom
  ) throws {
    switch action {
    case .backUp:
      let file = try device.file.copy(skew: device.skew, context: context)
      backups.append((device.number, file, user.log.mark))
    case .clone:
      let number = (devices.keys.max() ?? 0) + 1
      guard number < SimulationPlan.maximumDevices else { return }
      let file = try device.file.copy(skew: device.skew, context: context)
      devices[number] = SimulatedDevice(
        number, file: file, shape: plan.shape, skew: device.skew, context: context)
      counters[.clones] += 1
    default:
      guard !backups.isEmpty else { return }
      let backup = backups.remove(at: random.below(backups.count))
      guard let owner = devices[backup.device] else { return }
      user.log.withdraw(since: backup.mark, by: owner.number)
      owner.restore(backup.file)
      counters[.restores] += 1
    }
  }
}
