import UndercroftCore
import UndercroftSync
import UndercroftTesting

/// A generator of random requests of a few devices.
///
/// Some devices are copies of the same file. Devices lose answers, and send packets in any order.
struct RandomTraffic {
  private var random: SeededGenerator
  private var devices: [Device] = []
  private var sent: [SyncPacket] = []
  private var operations: [SyncOperation] = []
  private var count = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A request of a device, an action of the server's administrator, or a passage of time.
  enum Step {
    case push(SyncPacket, account: String)
    case pull(PullRequest, account: String)
    case compact(Int64)
    case retain
    case advance(minutes: Int64)
    case newEpoch
  }

  /// Returns a random next step.
  ///
  /// - Parameters:
  ///   - server: a server that has carried out all earlier steps.
  ///   - chain: a closure that returns the chain of operations that the server has stored for a
  ///     replica.
  mutating func next(
    _ server: SyncServer, chain: (ReplicaIdentifier) throws -> OperationChain
  ) throws -> Step {
    while devices.count < 3 {
      let name = ReplicaIdentifier("r\(devices.count)")
      devices.append(try Device(name, account: "a\(devices.count % 2)", on: server))
    }
    let index = Int.random(in: devices.indices, using: &random)
    if Int.random(in: 0..<3, using: &random) == 0 {
      devices[index].chain = try chain(devices[index].replica)
      devices[index].resultsThrough = min(
        devices[index].resultsThrough, devices[index].chain.count)
      try devices[index].adoptEpoch()
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<50: return push(index)
    case 50..<60:
      if let packet = sent.randomElement(using: &random) {
        return .push(packet, account: devices[index].account)
      }
      return push(index)
    case 60..<85: return pull(index, try server.head(of: Device.scope) ?? 0)
    case 85..<88: return .compact(Int64.random(in: -1...40, using: &random))
    case 88..<90: return .retain
    case 90..<93: return .advance(minutes: Int64.random(in: 0...100_000, using: &random))
    case 93..<96:
      // A copy of the file, which does not know what the device does from now on.
      devices[index] = devices[Int.random(in: devices.indices, using: &random)]
      return pull(index, 0)
    case 96..<99:
      count += 1
      devices[index] = try Device(
        ReplicaIdentifier("n\(count)"), account: devices[index].account, on: server)
      return push(index)
    default:
      for index in devices.indices { devices[index].chain = OperationChain() }
      return .newEpoch
    }
  }

  private mutating func push(_ index: Int) -> Step {
    var operations: [SyncOperation] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let again = self.operations.randomElement(using: &random)
      if let again, Int.random(in: 0..<12, using: &random) == 0,
        !operations.contains(where: { $0.operationIdentifier == again.operationIdentifier })
      {
        operations.append(again)
      } else {
        operations.append(operation(devices[index]))
      }
    }
    let group: String? = Int.random(in: 0..<4, using: &random) == 0 ? "g" : nil
    for position in operations.indices { operations[position].group = group }
    let packet = devices[index].seal(operations)
    self.operations += operations
    sent.append(packet)
    if Int.random(in: 0..<8, using: &random) == 0 {
      devices[index].resultsThrough = Int64.random(
        in: 0...devices[index].chain.count, using: &random)
    }
    // Some packets are lost, and arrive later or never.
    if Int.random(in: 0..<6, using: &random) == 0 {
      return .advance(minutes: 0)
    }
    return .push(packet, account: devices[index].account)
  }

  private mutating func operation(_ device: Device) -> SyncOperation {
    count += 1
    let row = DataIdentifier("b\(Int.random(in: 0..<4, using: &random))")
    let value = SyncValue.text("\(count)")
    let change: OperationChange =
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: .insert(["title": value, "note": .null], counters: ["loans": Int64(count)])
      case 2: .delete
      case 3: .update(["note": .real(Double(count))], increments: ["loans": .max])
      default: .update(["title": value])
      }
    let version = Int64.random(in: 0...60, using: &random)
    var operation = device.operation(
      change, on: row, OperationIdentifier("op\(count)"),
      knowing: AuthorKnowledge(
        base: version / 2, seen: version,
        hidden: Bool.random(using: &random) ? ["title"] : [], baseCursor: version),
      minute: Int64.random(in: 0...100, using: &random))
    if Int.random(in: 0..<6, using: &random) == 0, let earlier = operations.last {
      operation.absorbed = [
        AbsorbedOperation(earlier.operationIdentifier, increments: ["loans": 3]),
        AbsorbedOperation(OperationIdentifier("absorbed\(count)"), increments: ["loans": 4]),
      ]
    }
    return operation
  }

  private mutating func pull(_ index: Int, _ head: Int64) -> Step {
    let request = devices[index].request(
      after: Int64.random(in: 0...head + 1, using: &random),
      applied: Int64.random(in: 0...head + 1, using: &random),
      mode: Bool.random(using: &random) ? .snapshot : .incremental,
      snapshotFloor: Bool.random(using: &random) ? 0 : nil,
      limit: Int64.random(in: 0...5, using: &random),
      bytes: Int64.random(in: 0...3000, using: &random))
    return .pull(request, account: devices[index].account)
  }
}
