import Synchronization
import Testing
import UndercroftCore
import UndercroftSync

@Suite struct PokeBusTests {
  /// A bus that records pokes, and passes the events of a test to its server.
  private final class RecordingBus: PokeBus {
    private struct State {
      var published: [SyncPoke] = []
      var receive: (@Sendable (PokeBusEvent) -> Void)?
    }

    private let state = Mutex(State())

    var published: [SyncPoke] { state.withLock { $0.published } }

    func publish(_ poke: SyncPoke) { state.withLock { $0.published.append(poke) } }

    func start(_ receive: @escaping @Sendable (PokeBusEvent) -> Void) {
      state.withLock { $0.receive = receive }
    }

    func pass(_ event: PokeBusEvent) { state.withLock { $0.receive }?(event) }
  }

  private let bus = RecordingBus()
  private let server = SyncServer(
    store: InMemorySyncStore(), environment: TestClock().environment)

  init() { server.connect(to: bus) }

  @Test func `the pokes of a server are published on its bus`() throws {
    var ann = try Device("ann", on: server)

    try ann.send(.insert(.title("Dune")))

    #expect(bus.published == [SyncPoke(scope: Device.scope, head: 1)])
  }

  @Test func `a poke from the bus reaches the streams of its scope and is not published again`()
    async throws
  {
    var pokes = server.peer(account: "ann").pokes(for: [Device.scope]).makeAsyncIterator()

    bus.pass(.poke(SyncPoke(scope: "other", head: 3)))
    bus.pass(.poke(SyncPoke(scope: Device.scope, head: 7)))

    let poke = await pokes.next()
    #expect(poke == SyncPoke(scope: Device.scope, head: 7))
    #expect(bus.published.isEmpty)
  }

  @Test func `after a gap on the bus, each stream receives the versions of its scopes`()
    async throws
  {
    var ann = try Device("ann", on: server)
    try ann.send(.insert(.title("Dune")))
    var pokes = server.peer(account: "ann").pokes(for: [Device.scope, "new"]).makeAsyncIterator()
    _ = await pokes.next()

    bus.pass(.gap)

    let poke = await pokes.next()
    #expect(poke == SyncPoke(scope: Device.scope, head: 1))
  }
}
