import BehaviourTrait
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite(.timeLimit(.hangLimit)) struct SyncLoopTests {
  /// The options of an engine that synchronises only after triggers, and not at intervals.
  private static var options: SyncOptions {
    var options = SyncOptions()
    (options.debounce, options.interval, options.screenInterval) = (0, 1 << 31, 0)
    return options
  }

  @Test(.behaviour("A-S2-07"))
  func `a sync engine pushes a local commit, and other engines are notified and pull the change`()
    async throws
  {
    let town = Town()
    let north = try Reader(in: town, options: Self.options)
    let south = try Reader(in: town, options: Self.options)
    for reader in [north, south] { try reader.engine.start() }
    defer { for reader in [north, south] { reader.engine.stop() } }

    try north.branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")

    #expect(try await eventually { try south.branch.books == ["b1"] })
    try south.branch.edit("UPDATE book SET title = 'Emma'")
    #expect(try await eventually { try north.branch.title() == "Emma" })
  }

  @Test(.behaviour("A-S2-07"), arguments: [SyncTrigger.screenEntered, .demand, .networkAvailable])
  func `a sync engine pulls on demand, when a screen is entered and when the network returns`(
    trigger: SyncTrigger
  ) async throws {
    let town = Town()
    let north = try Reader(in: town)
    let peer = QuietPeer(server: town.server.peer(account: Town.account))
    let branch = try town.branch()
    let engine = try SyncEngine(
      branch.database, scope: Town.scope, account: Town.account, tables: Branch.tables, peer: peer,
      options: Self.options, environment: town.clock.environment)
    try engine.start()
    #expect(try await eventually { try branch.replica.state().epoch != nil })
    #expect(try await eventually { engine.currentStatus.state == .idle })
    try north.branch.edit("INSERT INTO book(id) VALUES ('b1')")
    try await north.engine.sync()
    #expect(try branch.books.isEmpty)

    engine.touch(trigger)

    #expect(try await eventually { try branch.books == ["b1"] })
    engine.stop()
  }

  @Test(.behaviour("A-S2-07"))
  func `without requests and notifications, a sync engine pulls after the configured interval`()
    async throws
  {
    let town = Town()
    let north = try Reader(in: town)
    let branch = try town.branch()
    var options = Self.options
    options.interval = 5
    let engine = try SyncEngine(
      branch.database, scope: Town.scope, account: Town.account, tables: Branch.tables,
      peer: QuietPeer(server: town.server.peer(account: Town.account)), options: options,
      environment: .system)
    try engine.start()

    try north.branch.edit("INSERT INTO book(id) VALUES ('b1')")
    try await north.engine.sync()

    #expect(try await eventually { try branch.books == ["b1"] })
    engine.stop()
  }

  @Test func `a two-way sync engine repeats a failed synchronisation without a request`()
    async throws
  {
    let town = Town()
    let branch = try town.branch()
    var options = Self.options
    (options.shortestBackOff, options.longestBackOff) = (1, 5)
    let courier = Courier(to: town.server.peer(account: Town.account))
    let engine = try SyncEngine(
      branch.database, scope: Town.scope, account: Town.account, tables: Branch.tables,
      peer: courier, options: options, environment: .system)
    courier.set(.losesRequest, for: .pull)
    try engine.start()
    #expect(try await eventually { engine.currentStatus.lastError != nil })

    courier.set(nil, for: .pull)

    #expect(try await eventually { engine.currentStatus.lastError == nil })
    engine.stop()
  }

  @Test
  func `a stopped sync engine ignores requests to synchronise, and can be started again`()
    async throws
  {
    let reader = try Reader(in: Town(), options: Self.options)
    try reader.engine.start()
    #expect(try await eventually { try reader.branch.replica.state().epoch != nil })
    reader.engine.stop()

    try reader.branch.edit("INSERT INTO book(id) VALUES ('b1')")
    reader.engine.touch(.demand)
    try await Task.sleep(for: .milliseconds(30))

    #expect(try reader.courier.packets.isEmpty)
    try reader.engine.start()
    #expect(try await eventually { try reader.dirty.isEmpty })
    reader.engine.stop()
  }

  @Test func `stopAndWait returns after the running exchange with the server has ended`()
    async throws
  {
    let reader = try Reader(in: Town(), options: Self.options)
    let ended = Mutex(false)
    let began = AsyncStream.makeStream(of: Void.self)
    reader.courier.set(
      .isSlow {
        began.continuation.yield()
        Thread.sleep(forTimeInterval: 0.05)
        ended.withLock { $0 = true }
      }, for: .pull)
    try reader.engine.start()
    for await _ in began.stream { break }

    reader.engine.stop()
    await reader.engine.stopAndWait()

    #expect(ended.withLock { $0 })
    try reader.branch.database.close()
  }

  @Test func `releasing a sync engine ends its stream of server notifications`() async throws {
    let town = Town()
    var reader: Reader? = try Reader(in: town, options: Self.options)
    try reader?.engine.start()
    #expect(try await eventually { town.server.pokeStreamCount == 1 })

    reader = nil

    #expect(try await eventually { town.server.pokeStreamCount == 0 })
  }
}

/// A peer without notifications of changes on the server.
private struct QuietPeer: SyncPeer {
  let server: any SyncPeer

  func send(_ request: SyncRequest) async throws -> Data { try await server.send(request) }

  func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke> {
    AsyncStream { continuation in continuation.finish() }
  }
}
