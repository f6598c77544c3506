import Testing
import UndercroftCore
import UndercroftSync

/// Tests of server transactions that fail at any call of the store.
@Suite struct PushCrashTests {
  /// A server on a ``FaultyStore``, and a device with a packet that the server has not received.
  ///
  /// The packet repeats, merges and deletes, so that the server uses all parts of the store.
  private struct Scene {
    let store: FaultyStore
    let server: SyncServer
    let device: Device
    let packet: SyncPacket

    init(_ store: any SyncServerStore) throws {
      self.store = FaultyStore(store)
      server = SyncServer(store: self.store, environment: TestClock().environment)
      var (ann, bob) = (try Device("ann", on: server), try Device("bob", on: server))
      let insert = ann.operation(.insert(.title("Dune"), counters: ["loans": 1]))
      _ = try ann.push(ann.seal([insert]))
      let seen = AuthorKnowledge(base: 1, seen: 1, baseCursor: 1)
      try bob.send(.update(.title("Bob's")), knowing: seen, minute: 2)
      try ann.send(.insert(.title("Emma")), on: "b2")
      var coalesced = ann.operation(.update([:], increments: ["loans": 2]), offset: 1)
      coalesced.absorbed = [AbsorbedOperation("early", increments: ["loans": 1])]
      var again = try Device("ann2", account: "ann", on: server)
      packet = again.seal([
        insert, again.operation(.update(.title("Ann's")), knowing: seen, minute: 1, offset: 1),
        coalesced, again.operation(.delete, on: "b2", offset: 3),
        again.operation(.update(.title("lost")), on: "b9", offset: 4),
      ])
      device = again
    }
  }

  @Test(arguments: TestStore.allCases)
  func `a push that fails at any store call has no effect, and succeeds when it is repeated`(
    kind: TestStore
  ) throws {
    let expected = try Scene(InMemorySyncStore())
    let answer = try expected.device.push(expected.packet)

    try kind.withStore { store in
      let scene = try Scene(store)
      let before = try ScopeContents(of: store)
      var faults = 0
      while true {
        scene.store.fail(after: faults)
        do {
          let repeated = try scene.device.push(scene.packet)
          #expect(scene.store.repair())
          #expect(repeated == answer)
          break
        } catch is StoreFault {
          #expect(try ScopeContents(of: store) == before, "call \(faults)")
          faults += 1
        }
      }
      #expect(faults > 20)
      #expect(try ScopeContents(of: store) == ScopeContents(of: expected.store))
      #expect(try ScopeContents(of: store).scope?.head == 7)
    }
  }

  @Test(arguments: TestStore.allCases)
  func `a compaction that fails at any store call has no effect`(kind: TestStore) throws {
    try kind.withStore { store in
      let scene = try Scene(store)
      let before = try ScopeContents(of: store)
      var faults = 0
      while true {
        scene.store.fail(after: faults)
        do {
          try scene.server.compact(Device.scope, retention: SyncRetention(minimum: 0, maximum: -1))
          #expect(scene.store.repair())
          break
        } catch is StoreFault {
          #expect(try ScopeContents(of: store) == before, "call \(faults)")
          faults += 1
        }
      }
      #expect(faults > 5)
      #expect(try ScopeContents(of: store).scope?.floor == 3)
    }
  }

  @Test func `the server answers pulls while the store cannot be written`() throws {
    let scene = try Scene(InMemorySyncStore())
    for call in 0..<4 {
      scene.store.fail(after: call)

      #expect(try scene.device.page()?.rows.count == 2)
    }
  }
}
