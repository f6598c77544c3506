import UndercroftCore
import UndercroftFoundation
import UndercroftSync

/// A server whose process can end at any access to its store.
final class SimulatedServer {
  static let heldPackets = 3

  let store: SimulationStore
  let server: SyncServer
  private let context: SimulationContext
  private let scopes: [ScopeIdentifier]
  private(set) var counters = SimulationCounters()
  /// The sequence numbers of the first operations of the waiting packets, by replica.
  private var held: [ReplicaIdentifier: Set<Int64>] = [:]
  private var backup: SimulationStore.Backup?
  /// The atomic groups of all packets that arrived.
  private(set) var groups = SimulatedGroups()
  /// Whether the server has lost changes, because a backup was restored.
  private(set) var hasLostTimeline = false

  init(_ plan: SimulationPlan, context: SimulationContext) throws {
    self.context = context
    scopes = plan.shape.scopes
    store = try SimulationStore(plan.makeStore)
    var limits = SyncLimits()
    limits.heldPackets = Self.heldPackets
    let policies = plan.shape.tables.map { (ExactString($0.name), plan.policy.table) }
    server = SyncServer(
      store: store, policies: Dictionary(uniqueKeysWithValues: policies), limits: limits,
      environment: context.environment(skew: 0))
  }

  /// Returns the answer to a request, or `nil` if the simulated process of the server ends
  /// before it answers.
  func respond(to endpoint: SyncRequest.Endpoint, _ body: Data) throws -> Data? {
    let packet = endpoint == .push ? try SyncPacket(decoding: body) : nil
    if let packet {
      try count(packet)
      groups.add(packet)
    }
    do {
      let answer = try server.respond(
        to: SyncRequest(endpoint, body: body), account: SimulatedDevice.account)
      if let packet { count(try PushAnswer(decoding: answer), to: packet) }
      return answer
    } catch is SimulatedCrash {
      end()
      return nil
    }
  }

  /// Runs `body` until it returns or the simulated process of the server ends.
  func run(_ body: (SyncServer) throws -> Void) throws {
    do { try body(server) } catch is SimulatedCrash { end() }
  }

  private func end() {
    counters[.serverCrashes] += 1
    server.dropHeldPackets()
    held = [:]
  }

  // MARK: Backups

  func backUp() { backup = store.backup }

  /// Restores the last backup, if there is one, and begins a new history of the server.
  func restore() throws {
    guard let backup else { return }
    self.backup = nil
    try store.restore(backup)
    server.dropHeldPackets()
    held = [:]
    for scope in scopes { try server.restoreEpoch(of: scope) }
    hasLostTimeline = true
    counters[.timelines] += 1
  }

  /// Removes tombstones and old operations up to a random version.
  func compact(_ scope: ScopeIdentifier, _ random: inout SimulationRandom) throws {
    let head = try head(of: scope)
    let applied = try store.inspect(scope) { reader in
      try reader.replicas().map(\.appliedCursor).min() ?? 0
    }
    let version = random.choose(applied, random.integer(in: 0...max(0, head)))
    try run { server in
      try server.compact(scope, through: version)
      counters[.compactions] += 1
    }
  }

  /// Checks that every atomic group was applied as a whole or not at all.
  ///
  /// - Parameter hasCopies: whether database files were copied, or restored from a backup. If
  ///   `true`, a group of which only a part was processed is permitted. One of two devices with
  ///   copies of a file can have undone a change, so their packets contain different parts of the
  ///   group.
  func checkGroups(hasCopies: Bool) throws {
    guard !hasLostTimeline else { return }
    for scope in scopes {
      try store.inspect(scope) { reader in
        try groups.check(reader, in: scope, hasCopies: hasCopies)
      }
    }
  }

  // MARK: Counting

  /// Counts the operations in a packet that the server already knows from another replica, and the
  /// operations that have absorbed an operation that the server already knows.
  private func count(_ packet: SyncPacket) throws {
    try store.inspect(packet.scope) { reader in
      for operation in packet.operations {
        if let known = try reader.operation(operation.operationIdentifier) {
          if known.replica != packet.replica { counters[.duplicateOperations] += 1 }
        } else if try operation.absorbed.contains(where: {
          try reader.operation($0.operationIdentifier) != nil
        }) {
          counters[.absorbedOverlaps] += 1
        }
      }
    }
  }

  private func count(_ answer: PushAnswer, to packet: SyncPacket) {
    switch answer {
    case .results(let results):
      held[packet.replica] = held[packet.replica]?.filter { $0 > results.lastSequence }
    case .held:
      let first = packet.operations.first?.sequence ?? 0
      if held[packet.replica, default: []].count < Self.heldPackets {
        held[packet.replica, default: []].insert(first)
        counters[.heldPackets] += 1
      } else if held[packet.replica]?.contains(first) != true {
        counters[.heldOverflows] += 1
      }
    case .refused(.forked): counters[.forks] += 1
    case .refused: break
    }
  }
}
