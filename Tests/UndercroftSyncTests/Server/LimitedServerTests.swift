import Testing
import UndercroftCore
import UndercroftSync

@Suite struct LimitedServerTests {
  private let server = SyncServer(
    store: InMemorySyncStore(), environment: TestClock().environment
  ) { account, _ in account == "bob" ? .read : .readWrite }

  private func status(
    _ limit: ScopeAccess, _ account: String
  ) throws -> (canPush: Bool, canPull: Bool) {
    let limited = server.limited { $0 == Device.scope ? limit : .none }
    var device = try Device(ReplicaIdentifier("\(account)-\(limit)"), account: account, on: server)
    let packet = device.seal([device.operation(.insert(.title("Dune")))])
    let pull = device.request()
    let canPush = (try? limited.push(packet, account: account)) != nil
    let canPull = (try? limited.pull(pull, account: account)) != nil
    return (canPush, canPull)
  }

  @Test func `a request has the lesser access of its limit and of its account`() throws {
    for (limit, account, canPush, canPull) in [
      (ScopeAccess.none, "ann", false, false), (.read, "ann", false, true),
      (.readWrite, "ann", true, true), (.readWrite, "bob", false, true),
      (.none, "bob", false, false),
    ] {
      let result = try status(limit, account)

      #expect(result.canPush == canPush, "\(limit) \(account)")
      #expect(result.canPull == canPull, "\(limit) \(account)")
    }
  }

  @Test func `a limited server sends pokes to the streams of the server`() async throws {
    var pokes = server.peer(account: "ann").pokes(for: [Device.scope]).makeAsyncIterator()
    var device = try Device("ann", on: server)
    let packet = device.seal([device.operation(.insert(.title("Dune")))])

    _ = try server.limited { _ in .readWrite }.push(packet, account: "ann")

    let poke = await pokes.next()
    #expect(poke?.head == 1)
  }

  @Test func `one owner at a time has the lease on a job`() throws {
    let clock = TestClock()
    let server = SyncServer(store: InMemorySyncStore(), environment: clock.environment)

    let first = try server.acquireLease(on: "compaction", owner: "a", milliseconds: 100)
    let second = try server.acquireLease(on: "compaction", owner: "b", milliseconds: 100)
    let extended = try server.acquireLease(on: "compaction", owner: "a", milliseconds: 100)
    clock.advance(minutes: 1)
    let expired = try server.acquireLease(on: "compaction", owner: "b", milliseconds: 100)

    #expect([first, second, extended, expired] == [true, false, true, true])
    #expect(try server.scopes() == [])
  }

  @Test func `a lease that was acquired before the clock was set back has no effect`() throws {
    let clock = TestClock()
    let server = SyncServer(store: InMemorySyncStore(), environment: clock.environment)
    clock.advance(minutes: 5_000_000)
    _ = try server.acquireLease(on: "compaction", owner: "a", milliseconds: 100)

    clock.advance(minutes: -5_000_000)
    let acquired = try server.acquireLease(on: "compaction", owner: "b", milliseconds: 100)
    let held = try server.acquireLease(on: "compaction", owner: "a", milliseconds: 100)

    #expect(acquired)
    #expect(!held)
  }

  @Test func `an intact scope has no contradictions`() throws {
    var device = try Device("ann", on: server)
    try device.send(.insert(.title("Dune")))
    try device.send(.insert(.title("Emma")), on: "b2")
    try device.send(.delete, on: "b1")

    #expect(try server.verify(Device.scope) == [])
    #expect(try server.verify("unknown") == ["the scope does not exist"])
    #expect(try server.storedBytes(of: Device.scope).bytes > 0)
  }
}
