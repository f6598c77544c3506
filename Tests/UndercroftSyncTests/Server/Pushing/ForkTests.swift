import Testing
import UndercroftCore
import UndercroftSync

/// Tests of packets whose chain of operations differs from the chain that the server has stored.
@Suite struct ForkTests {
  private let server: SyncServer
  private var ann: Device

  init() throws {
    server = SyncServer(store: InMemorySyncStore(), environment: TestClock().environment)
    ann = try Device("ann", on: server)
    try ann.send(.insert(.title("Dune")))
  }

  private func expectFork(_ packet: SyncPacket) throws {
    let head = try server.head(of: Device.scope)
    let rows = try ann.rows

    #expect(try ann.push(packet) == .refused(.forked))
    #expect(try server.head(of: Device.scope) == head)
    #expect(try ann.rows == rows)
  }

  @Test
  func `an operation that reuses the sequence number of another operation is refused as a fork`()
    throws
  {
    let copy = try Device("ann", on: server)

    try expectFork(copy.packet([copy.operation(.insert(.title("Emma")), on: "b2", "other")]))
  }

  @Test
  func `a sync packet is refused as a fork if the server lacks the operation that precedes it`()
    throws
  {
    var copy = try Device("ann", on: server)
    _ = copy.seal(.insert(.title("Emma")), on: "b2", "other")

    try expectFork(copy.packet([copy.operation(.insert(.title("Ulysses")), on: "b3")]))
  }

  @Test
  func `a sync packet is refused as a fork if its operation chain differs from the server's`()
    throws
  {
    var copy = try Device("ann", on: server)
    _ = copy.seal(.insert(.title("Emma")), on: "b2", "other")
    let shared = copy.operation(.delete, on: "b9", "shared")
    _ = copy.seal([shared])
    _ = try ann.push(mutated(ann) { $0.seal([shared]) })

    let packet = copy.packet([copy.operation(.insert(.title("Ulysses")), on: "b3")])

    #expect(packet.dependencyIdentifier == "shared")
    try expectFork(packet)
  }

  private func mutated(_ device: Device, _ body: (inout Device) -> SyncPacket) -> SyncPacket {
    var device = device
    return body(&device)
  }

  @Test
  func
    `a sync packet that repeats operations is refused as a fork if its operation chain is wrong`()
    throws
  {
    var copy = ann
    let second = ann.operation(.delete, on: "b9")
    _ = try ann.push(mutated(ann) { $0.seal([second]) })
    var packet = copy.seal([second, copy.operation(.delete, on: "b8", offset: 1)])
    packet.dependencyChain = SHA256Digest(of: [1])

    try expectFork(packet)
  }

  @Test
  func `a sync packet that reuses an operation identifier for another row changes no row`()
    throws
  {
    let packet = ann.packet([
      ann.operation(.insert(.title("Emma")), on: "b2"),
      ann.operation(.insert(.title("Ulysses")), on: "b3", "ann-1"),
    ])

    #expect(try ann.push(packet) == .refused(.operationCollision("ann-1")))
    #expect(try ann.rows == ["b1": .title("Dune")])
    #expect(try ann.push(ann.packet([packet.operations[0]])).statuses == [.applied, .applied])
  }

  @Test
  func `a replica is refused as a fork if it reports results of operations that the server lacks`()
    throws
  {
    var lost = try Device("zoe", on: server)
    lost.resultsThrough = 3

    try expectFork(lost.packet([lost.operation(.insert(.title("Emma")), on: "b2")]))
  }

  @Test func `repeating an operation that a compaction has removed is refused as a fork`() throws {
    try server.compact(Device.scope, through: 1)
    let start = try Device("ann", on: server)

    try expectFork(start.packet([start.operation(.insert(.title("Dune")))]))
  }
}
