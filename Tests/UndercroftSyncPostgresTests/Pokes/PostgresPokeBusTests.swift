#if SyncPostgres
  import Foundation
  import NetworkTestSupport
  import Synchronization
  import TestSupport
  import Testing
  import UndercroftSync
  import UndercroftSyncPostgres

  @Suite(.timeLimit(.hangLimit)) struct PostgresPokeBusTests {
    /// The events of a bus.
    private final class Events: Sendable {
      private let events = Mutex<[PokeBusEvent]>([])

      func add(_ event: PokeBusEvent) { events.withLock { $0.append(event) } }

      var all: [PokeBusEvent] { events.withLock { $0 } }

      var gapCount: Int { all.count { $0 == .gap } }

      func contains(_ scope: ScopeIdentifier, _ head: Int64) -> Bool {
        all.contains(.poke(SyncPoke(scope: scope, head: head)))
      }
    }

    private let database: TestDatabase

    init() throws { database = try TestDatabase() }

    private func makeBus(
      _ settings: PostgresPokeOptions = PostgresPokeOptions()
    ) -> PostgresPokeBus {
      PostgresPokeBus(database.address, settings: settings)
    }

    private func start(_ bus: PostgresPokeBus) -> Events {
      let events = Events()
      bus.start { events.add($0) }
      return events
    }

    @Test func `a poke reaches the other processes and not its own`() throws {
      let buses = (0..<3).map { _ in makeBus() }
      let events = buses.map { start($0) }
      #expect(waitUntil { events.allSatisfy { $0.gapCount == 1 } })

      buses[0].publish(SyncPoke(scope: library, head: 7))

      #expect(waitUntil { events[1...].allSatisfy { $0.contains(library, 7) } })
      #expect(events[0].all == [.gap])
    }

    @Test func `many pokes of one scope are sent as one with the last version`() throws {
      let settings = PostgresPokeOptions(coalescingInterval: .milliseconds(200))
      let sender = makeBus(settings)
      let receiver = makeBus()
      let events = start(receiver)
      #expect(waitUntil { events.gapCount == 1 })

      for head: Int64 in 1...1000 { sender.publish(SyncPoke(scope: library, head: head)) }

      #expect(waitUntil { events.contains(library, 1000) })
      #expect(events.all.count < 100)
    }

    @Test func `a bus connects again and reports that pokes may be lost`() throws {
      let (sender, receiver) = (
        makeBus(), makeBus()
      )
      let events = start(receiver)
      #expect(waitUntil { events.gapCount == 1 })
      sender.publish(SyncPoke(scope: library, head: 1))
      #expect(waitUntil { events.contains(library, 1) })

      try database.endConnections()

      #expect(waitUntil { events.gapCount == 2 })
      sender.publish(SyncPoke(scope: library, head: 2))
      #expect(waitUntil { events.contains(library, 2) })
    }

    @Test func `a bus that polls reports the scopes that changed`() throws {
      let store = try database.makeStore()
      let settings = PostgresPokeOptions(
        transport: .polling, pollingInterval: .milliseconds(10))
      let bus = makeBus(settings)
      let events = start(bus)
      #expect(waitUntil { events.gapCount == 1 })

      try store.addBook(in: "user:1")
      try store.addBook(in: "user:2")
      try store.addBook(in: "user:2")

      #expect(waitUntil { events.contains("user:1", 1) && events.contains("user:2", 2) })
      #expect(events.gapCount == 1)
    }

    @Test func `a bus that polls reports a change once that was committed long after it was made`()
      throws
    {
      let store = try database.makeStore()
      for scope: ScopeIdentifier in ["user:1", "user:2"] { try store.addBook(in: scope) }
      let bus = makeBus(
        PostgresPokeOptions(transport: .polling, pollingInterval: .milliseconds(10)))
      let events = start(bus)
      #expect(waitUntil { events.gapCount == 1 })

      for scope: ScopeIdentifier in ["user:1", "user:2"] {
        try database.run(
          """
          UPDATE sync_scope SET head = 2, changed_at = clock_timestamp() - interval '50 seconds'
            WHERE name = '\(scope.text)'
          """)
        #expect(waitUntil { events.contains(scope, 2) })
      }

      let pokes = ["user:1", "user:2"].map { SyncPoke(scope: $0, head: 2) }
      #expect(events.all == [.gap] + pokes.map { .poke($0) })
      bus.close()
    }

    @Test func `a bus whose polls the database refuses waits before each further one`() throws {
      // A sequence is not rolled back, so it counts the refused polls.
      try database.run(
        """
        CREATE SEQUENCE polls;
        CREATE FUNCTION refuse() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
          PERFORM nextval('polls'); RAISE EXCEPTION 'refused' USING ERRCODE = '42883';
        END $$;
        CREATE VIEW sync_scope AS
          SELECT 'library' AS name, refuse() AS head, 'e' AS epoch, now() AS changed_at;
        """)
      let bus = makeBus(PostgresPokeOptions(transport: .polling))
      let events = start(bus)
      let session = try SQLSession(database.address)
      func polls() throws -> Int {
        let value = try session.run("SELECT last_value FROM polls").first?.first ?? nil
        return try #require(value.flatMap { Int($0) })
      }
      #expect(try waitUntil { try polls() >= 3 })

      let before = try polls()
      Thread.sleep(forTimeInterval: 0.5)

      // Without waits, there are hundreds.
      #expect(try polls() < before + 30)
      #expect(events.all == [])
      bus.close()
    }

    @Test func `a change in one server reaches the replicas of another server`() async throws {
      let servers = try (0..<2).map { _ in
        SyncServer(store: try database.makeStore()) { _, _ in .readWrite }
      }
      let buses = servers.map { server in
        let bus = makeBus()
        server.connect(to: bus)
        return bus
      }
      try servers[0].restoreEpoch(of: library)
      let pokes = servers[1].peer(account: "ann").pokes(for: [library])

      let count = Mutex(0)
      let reader = Task {
        for await poke in pokes where poke.scope == library { count.withLock { $0 += 1 } }
      }

      // The first poke is the present version, and each connection of a bus may add another.
      let hasReceived = try await eventually {
        try servers[0].restoreEpoch(of: library)
        return count.withLock { $0 } >= 10
      }
      reader.cancel()

      #expect(hasReceived)
      withExtendedLifetime(buses) {}
    }

    @Test func `a bus whose database is not there does not end the process`() throws {
      let folder = try TemporaryDirectory()
      let bus = PostgresPokeBus("host=\(folder.path)")
      let events = start(bus)

      bus.publish(SyncPoke(scope: library, head: 1))
      bus.close()
      bus.publish(SyncPoke(scope: library, head: 2))

      #expect(events.all == [])
    }
  }
#endif
