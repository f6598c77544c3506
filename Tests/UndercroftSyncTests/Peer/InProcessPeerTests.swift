import Testing
import UndercroftCore
import UndercroftSync

@Suite struct InProcessPeerTests {
  private let server: SyncServer
  private var ann: Device

  init() throws {
    server = SyncServer(
      store: InMemorySyncStore(), environment: TestClock().environment
    ) { account, _ in account == "zoe" ? .none : .readWrite }
    ann = try Device("ann", on: server)
  }

  @Test func `a sync peer can push operations for its own account only`() async throws {
    let packet = ann.packet([ann.operation(.insert(.title("Dune")))])
    let request = SyncRequest(.push, body: try packet.encoded())

    let answer = try await server.peer(account: "ann").send(request)
    await #expect(throws: StorageError.self) {
      try await server.peer(account: "bob").send(request)
    }

    #expect(try PushAnswer(decoding: answer).statuses == [.applied])
  }

  @Test func `a cancelled task sends no request to the server`() async throws {
    let packet = ann.packet([ann.operation(.insert(.title("Dune")))])
    let request = SyncRequest(.push, body: try packet.encoded())
    let peer = server.peer(account: "ann")

    let task = Task {
      _ = withUnsafeCurrentTask { $0?.cancel() }
      return try await peer.send(request)
    }

    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try server.head(of: Device.scope) == 0)
  }

  @Test func `concurrent pushes of many replicas are all applied`() async throws {
    let server = server
    try await withThrowingTaskGroup(of: Int64.self) { group in
      for number in 0..<64 {
        let device = try Device(ReplicaIdentifier("r\(number)"), on: server)
        let packet = device.packet([
          device.operation(.insert([:]), on: DataIdentifier("b\(number)"))
        ])
        let request = SyncRequest(.push, body: try packet.encoded())
        let peer = server.peer(account: device.account)
        group.addTask {
          try PushAnswer(decoding: try await peer.send(request)).results?.results.first?.version
            ?? 0
        }
      }
      var versions: Set<Int64> = []
      for try await version in group { versions.insert(version) }
      #expect(versions == Set(1...64))
    }
  }

  @Test
  func `a server's notification stream begins with the newest version of each existing sync scope`()
    async throws
  {
    var ann = ann
    try ann.send(.insert(.title("Dune")))
    var pokes = server.peer(account: "ann").pokes(for: [Device.scope, "new"]).makeAsyncIterator()

    let first = await pokes.next()
    try ann.send(.insert(.title("Emma")), on: "b2")
    let second = await pokes.next()

    #expect(first == SyncPoke(scope: Device.scope, head: 1))
    #expect(second == SyncPoke(scope: Device.scope, head: 2))
  }

  @Test func `a change notification is sent after the change is committed`() async throws {
    var ann = ann
    var pokes = server.peer(account: "bob").pokes(for: [Device.scope]).makeAsyncIterator()
    _ = await pokes.next()
    try ann.send(.insert(.title("Dune")))

    let poke = await pokes.next()

    #expect(poke?.head == 1)
    #expect(try ann.page()?.head == 1)
  }

  @Test func `requests that change nothing cause no change notification`() async throws {
    var ann = ann
    let packet = ann.seal(.insert(.title("Dune")))
    var pokes = server.peer(account: "bob").pokes(for: [Device.scope]).makeAsyncIterator()
    _ = await pokes.next()

    _ = try ann.push(packet)
    _ = try ann.push(packet)
    _ = try ann.page()
    let copy = try Device("ann", on: server)
    _ = try copy.push(copy.packet([copy.operation(.delete, on: "b1", "other")]))
    try ann.send(.delete, on: "b9")
    try ann.send(.insert(.title("Emma")), on: "b2")

    let first = await pokes.next()
    let second = await pokes.next()
    #expect([first?.head, second?.head] == [1, 2])
  }

  @Test
  func
    `an account without access to a sync scope receives no notifications of changes in the scope`()
    async throws
  {
    var ann = ann
    let stream = server.peer(account: "zoe").pokes(for: [Device.scope])
    try ann.send(.insert(.title("Dune")))
    let waiting = Task { await stream.first { _ in true } }
    waiting.cancel()

    let poke = await waiting.value
    #expect(poke == nil)
  }

  @Test func `a new conflict causes a change notification even if no row changes`() async throws {
    var ann = ann
    var pokes = server.peer(account: "ann").pokes(for: [Device.scope]).makeAsyncIterator()
    _ = await pokes.next()

    try ann.send(.update(.title("Emma")), on: "b9")

    let poke = await pokes.next()
    #expect(poke?.head == 1)
  }

  @Test func `the server sends a change notification when it begins a new history`() async throws {
    var pokes = server.peer(account: "ann").pokes(for: [Device.scope]).makeAsyncIterator()
    _ = await pokes.next()

    try server.restoreEpoch(of: Device.scope)

    let poke = await pokes.next()
    #expect(poke == SyncPoke(scope: Device.scope, head: 0))
  }

  @Test func `a notification stream is unregistered from the server when the stream is released`()
    async throws
  {
    let peer = server.peer(account: "ann")
    do {
      var pokes = peer.pokes(for: [Device.scope]).makeAsyncIterator()
      let poke = await pokes.next()
      #expect(poke?.head == 0)
      #expect(server.pokeStreamCount == 1)
    }

    #expect(server.pokeStreamCount == 0)
  }
}
