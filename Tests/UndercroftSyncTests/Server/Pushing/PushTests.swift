import Testing
import UndercroftCore
import UndercroftSync

@Suite struct PushTests {
  private let clock = TestClock()
  private let server: SyncServer

  init() {
    server = SyncServer(store: InMemorySyncStore(), environment: clock.environment)
  }

  @Test func `the server applies the operations of a sync packet in order`() throws {
    var ann = try Device("ann", on: server)
    let packet = ann.seal([
      ann.operation(.insert(.title("Dune"), counters: ["loans": 2])),
      ann.operation(.insert(.title("Emma")), on: "b2", offset: 1),
      ann.operation(.update(.title("Dune Messiah"), increments: ["loans": 1]), offset: 2),
    ])

    let results = try #require(try ann.push(packet).results)

    #expect(results.results.map(\.status) == [.applied, .applied, .applied])
    #expect(results.results.map(\.sequence) == [1, 2, 3])
    #expect(results.results.map(\.version) == [1, 2, 3])
    #expect(results.lastSequence == 3)
    #expect(results.lastChain == ann.chain.hash)
    #expect(results.head == 3)
    #expect(results.serverTime == Desk.now)
    #expect(
      try ann.rows == [
        "b1": ["title": .text("Dune Messiah"), "loans": .integer(3)], "b2": .title("Emma"),
      ])
  }

  @Test
  func `an operation that changes neither a row nor a conflict does not advance the scope version`()
    throws
  {
    var ann = try Device("ann", on: server)
    try ann.send(.insert(.title("Dune")))

    let deletion = try ann.send(.delete, on: "b9")
    let update = try ann.send(.update(.title("Emma")))

    #expect(deletion?.status == .applied)
    #expect(deletion?.version == 0)
    #expect(update?.version == 2)
    #expect(try server.head(of: Device.scope) == 2)
  }

  @Test func `a sync packet that is pushed twice is applied once and gets the same answer twice`()
    throws
  {
    var ann = try Device("ann", on: server)
    try ann.send(.insert([:], counters: ["loans": 1]))
    let packet = ann.seal(.update([:], increments: ["loans": 5]))

    let first = try ann.push(packet)
    let second = try ann.push(packet)

    #expect(first == second)
    #expect(first.statuses == [.applied, .applied])
    #expect(try ann.rows == ["b1": ["loans": .integer(6)]])
  }

  @Test func `a sync packet can begin with operations that the server has already applied`() throws
  {
    var ann = try Device("ann", on: server)
    let before = ann
    let first = ann.operation(.insert([:], counters: ["loans": 1]))
    _ = try ann.push(ann.seal([first]))
    let second = ann.operation(.update([:], increments: ["loans": 5]))

    let answer = try before.push(before.packet([first, second]))

    #expect(answer.statuses == [.applied, .applied])
    #expect(answer.results?.lastSequence == 2)
    #expect(try ann.rows == ["b1": ["loans": .integer(6)]])
  }

  @Test func `the answer to a push contains all results that the replica has not received`() throws
  {
    var ann = try Device("ann", on: server)
    for sequence in 1...3 { try ann.send(.update(.title("\(sequence)"))) }
    ann.resultsThrough = 1

    let answer = try ann.push(ann.seal(.update(.title("4"))))

    #expect(answer.results?.results.map(\.sequence) == [2, 3, 4])
    #expect(answer.statuses == [.lost, .lost, .lost])
  }

  @Test func `the answer to a repeated sync packet also contains the results of later packets`()
    throws
  {
    var ann = try Device("ann", on: server)
    let packet = ann.seal(.insert(.title("Dune")))
    _ = try ann.push(packet)
    try ann.send(.update(.title("Emma")))

    let answer = try ann.push(packet)

    #expect(answer.results?.results.map(\.operationIdentifier) == ["ann-1", "ann-2"])
    #expect(answer.results?.lastSequence == 2)
  }

  @Test
  func `the refusal of a sync packet for an earlier server history names the current history`()
    throws
  {
    var ann = try Device("ann", on: server)
    let packet = ann.seal(.insert(.title("Dune")))
    let epoch = try server.restoreEpoch(of: Device.scope)

    #expect(try ann.push(packet) == .refused(.epoch(epoch)))
    #expect(try server.head(of: Device.scope) == 0)
  }

  @Test
  func `the refusal of a push to an unknown scope names the history of the newly created scope`()
    throws
  {
    let ann = try Device("ann", on: server)
    var packet = ann.packet([ann.operation(.delete)])
    packet.scope = "new"

    guard case .refused(.epoch(let epoch)) = try ann.push(packet) else {
      Issue.record("the packet was accepted")
      return
    }

    packet.epoch = epoch
    #expect(try ann.push(packet).statuses == [.applied])
  }

  @Test func `the server refuses a push or pull below the minimum schema version for that request`()
    throws
  {
    let server = SyncServer(
      store: InMemorySyncStore(),
      schema: SchemaWindow(minimumPull: 2, minimumPush: 3, current: 4),
      environment: clock.environment)
    var ann = try Device("ann", on: server)
    ann.schemaVersion = 2

    #expect(
      try ann.push(ann.packet([ann.operation(.delete)]))
        == .refused(.upgradeRequired(minimumPush: 3)))
    #expect(try ann.page() != nil)

    ann.schemaVersion = 1
    #expect(try ann.pull(ann.request()) == .refused(.upgradeRequired(minimumPush: 3)))

    ann.schemaVersion = 3
    #expect(try ann.push(ann.packet([ann.operation(.delete)])).statuses == [.applied])
  }

  @Test func `a timestamp far ahead of the server's clock is clamped to one minute ahead`() throws {
    var ann = try Device("ann", on: server)

    try ann.send(.insert(.title("Dune")), minute: 60 * 24 * 365)

    let page = try #require(try ann.page())
    #expect(page.rows.first?.hybridTimestamp.milliseconds == Desk.now + 60_000)
    #expect(page.hybridTimestamp.milliseconds == Desk.now + 60_000)
  }

  @Test func `the conflict policy of a table decides about concurrent changes of the table`() throws
  {
    let server = SyncServer(
      store: InMemorySyncStore(), policies: ["book": TablePolicy(.ask)],
      environment: clock.environment)
    var (ann, bob) = (try Device("ann", on: server), try Device("bob", on: server))
    try ann.send(.insert(.title("Dune")))
    let seen = AuthorKnowledge(base: 1, seen: 1, baseCursor: 1)
    try bob.send(.update(.title("Bob's")), knowing: seen)

    let result = try ann.send(.update(.title("Ann's")), knowing: seen)
    let own = try bob.send(.update(.title("Emma")), knowing: seen)

    #expect(result?.status == .parked)
    #expect(result?.conflicts.count == 1)
    #expect(own?.status == .applied)
  }

  @Test func `a sync packet with too many operations is refused, unless it is one atomic group`()
    throws
  {
    var limits = SyncLimits()
    limits.operations = 2
    let server = SyncServer(
      store: InMemorySyncStore(), limits: limits, environment: clock.environment)
    let ann = try Device("ann", on: server)
    var operations = (0..<3).map {
      ann.operation(.insert([:]), on: DataIdentifier("b\($0)"), offset: $0)
    }

    let error = #expect(throws: StorageError.self) { try ann.push(ann.packet(operations)) }
    #expect(error?.code == .tooLarge)
    #expect(
      error?.message.contains("\"ann/0\": the packet has 3 operations, but the maximum is 2")
        == true)
    #expect(try server.head(of: Device.scope) == 0)

    for index in operations.indices { operations[index].group = "g" }
    #expect(try ann.push(ann.packet(operations)).statuses?.count == 3)
  }
}
