import Testing
import UndercroftCore
import UndercroftSync

@Suite struct CompactTests {
  private let clock = TestClock()
  private let store = InMemorySyncStore()
  private let server: SyncServer
  private var ann: Device

  init() throws {
    server = SyncServer(store: store, environment: clock.environment)
    ann = try Device("ann", on: server)
  }

  /// Sends the insertion and the deletion of a row.
  private func insertAndDelete(_ device: inout Device, _ row: DataIdentifier) throws {
    let version = try device.send(.insert(.title("Dune")), on: row)?.version ?? 0
    try device.send(
      .delete, on: row,
      knowing: AuthorKnowledge(base: version, seen: version, baseCursor: version))
  }

  @Test func `a compaction removes tombstones and operations up to the given version`() throws {
    var ann = ann
    try insertAndDelete(&ann, "b1")
    try insertAndDelete(&ann, "b2")
    try ann.send(.insert(.title("Emma")), on: "b3")

    let compaction = try server.compact(Device.scope, through: 3)

    #expect(compaction == SyncCompaction(floor: 3, tombstones: 1, operations: 3))
    #expect(try server.head(of: Device.scope) == 5)
    let page = try #require(try ann.page(after: 3))
    #expect(page.floor == 3)
    #expect(page.rows.map(\.dataIdentifier) == ["b2", "b3"])
  }

  @Test func `the compacted version of a scope neither decreases nor exceeds the newest version`()
    throws
  {
    var ann = ann
    try insertAndDelete(&ann, "b1")

    #expect(try server.compact(Device.scope, through: .max).floor == 2)
    #expect(try server.compact(Device.scope, through: 1).floor == 2)
    #expect(try server.compact(Device.scope, through: .min).floor == 2)
    #expect(try server.compact("unknown", through: 9).floor == 0)
  }

  @Test func `a compaction changes neither live rows nor their digest`() throws {
    var ann = ann
    try insertAndDelete(&ann, "b1")
    try ann.send(.insert(.title("Emma")), on: "b2")
    let request = DigestRequest(scope: Device.scope, version: 3)
    let digest = try server.digest(request, account: "ann")

    try server.compact(Device.scope, through: 3)

    #expect(try server.digest(request, account: "ann") == digest)
    #expect(
      try ann.pull(ann.request(mode: .snapshot)).page?.rows.map(\.dataIdentifier) == ["b2"])
  }

  @Test func `an operation that may have been applied and purged is refused as stale`() throws {
    var ann = ann
    try ann.send(.insert(.title("Dune"), counters: ["loans": 1]), on: "b1")
    try ann.send(.update([:], increments: ["loans": 1]), on: "b1")
    try server.compact(Device.scope, through: 2)
    var copy = try Device("copy", account: "ann", on: server)

    let increment = try copy.send(.update([:], increments: ["loans": 1]), on: "b1", "ann-2")
    let insertion = try copy.send(.insert(.title("Emma")), on: "b2")

    #expect(increment?.status == .stale)
    #expect(insertion?.status == .stale)
    #expect(
      try copy.page(after: 2)?.conflicts.map(\.kind) == [.stale, .stale])
  }

  @Test func `a compaction removes nothing that is younger than the minimum retention`() throws {
    var ann = ann
    try insertAndDelete(&ann, "b1")
    _ = try ann.pull(ann.request(after: 2, applied: 2))
    ann.resultsThrough = 2
    try ann.send(.insert(.title("Emma")), on: "b2")
    clock.advance(days: 29)

    #expect(try server.compact(Device.scope).floor == 0)
    clock.advance(days: 2)
    #expect(
      try server.compact(Device.scope) == SyncCompaction(floor: 2, tombstones: 1, operations: 2))
  }

  @Test
  func `a compaction retains changes that a replica has not applied, up to the maximum retention`()
    throws
  {
    var (ann, bob) = (ann, try Device("bob", on: server))
    try insertAndDelete(&ann, "b1")
    _ = try bob.pull(bob.request(after: 0, applied: 1))
    _ = try ann.pull(ann.request(after: 2, applied: 2))
    ann.resultsThrough = 2
    try ann.send(.delete, on: "b9")
    clock.advance(days: 100)

    #expect(try server.compact(Device.scope).floor == 1)

    clock.advance(days: 81)
    let compaction = try server.compact(Device.scope)
    #expect(compaction.floor == 2)
    #expect(compaction.replicas == 2)
  }

  @Test func `a compaction retains operation results that a replica has not received`() throws {
    var ann = ann
    try insertAndDelete(&ann, "b1")
    ann.resultsThrough = 1
    try ann.send(.delete, on: "b9")
    _ = try ann.pull(ann.request(after: 2, applied: 2))
    clock.advance(days: 31)

    #expect(try server.compact(Device.scope).floor == 1)
    let answer = try ann.push(ann.seal(.delete, on: "b9"))
    #expect(answer.results?.results.map(\.sequence) == [2, 3, 4])
  }

  @Test func `a compaction to a given version removes no conflicts`() throws {
    var ann = ann
    try ann.send(.update(.title("Emma")), on: "b9")

    #expect(try server.compact(Device.scope, through: 1).operations == 1)

    #expect(try ann.pull(ann.request(mode: .snapshot)).page?.conflicts.count == 1)
  }

  @Test func `a compaction removes conflicts after the maximum retention`() throws {
    var ann = ann
    try ann.send(.update(.title("Emma")), on: "b9")
    clock.advance(days: 181)

    #expect(try server.compact(Device.scope).conflicts == 1)
    #expect(try ann.pull(ann.request(mode: .snapshot)).page?.conflicts == [])
  }

  @Test
  func `a replica removed by the server is refused as a fork if it has received operation results`()
    throws
  {
    var ann = ann
    try ann.send(.insert(.title("Dune")))
    clock.advance(days: 181)
    #expect(try server.compact(Device.scope).replicas == 1)
    ann.resultsThrough = 1

    #expect(try ann.push(ann.seal(.delete)) == .refused(.forked))
  }

  @Test
  func `a replica removed by the server can send again if it has received no operation results`()
    throws
  {
    var ann = ann
    let start = ann
    let insert = ann.operation(.insert(.title("Dune")))
    _ = try ann.push(ann.seal([insert]))
    try store.write(in: Device.scope) { try $0.removeReplica("ann") }

    let again = try start.push(
      start.packet([insert, start.operation(.delete, on: "b9", "other", offset: 1)]))

    #expect(again.statuses == [.applied, .applied])
    #expect(try ann.rows == ["b1": .title("Dune")])
  }

  @Test func `a compaction at the earliest possible clock time does not trap`() throws {
    let server = SyncServer(
      store: store, environment: SyncEnvironment(now: { .min }, makeIdentifier: { "e" }))
    var ann = ann
    try ann.send(.insert(.title("Dune")))

    #expect(try server.compact(Device.scope).floor >= 0)
  }
}
