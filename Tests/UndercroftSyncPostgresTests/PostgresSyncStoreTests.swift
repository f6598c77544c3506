#if SyncPostgres
  import Dispatch
  import NetworkTestSupport
  import Synchronization
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncPostgres
  import UndercroftSyncTesting

  @Suite(.timeLimit(.hangLimit)) struct PostgresSyncStoreTests {
    @Test(arguments: SyncStoreConformance.checks)
    func `a store in PostgreSQL passes each conformance check`(check: SyncStoreConformance) throws {
      // Some checks open a transaction in 33 threads.
      let store = try TestDatabase().makeStore()

      #expect(throws: Never.self) { try check.run(on: store) }
    }

    @Test(.heavy, arguments: SimulationProfile.allCases, UInt64(1)...2)
    func `a simulated history violates no rule on a store in PostgreSQL`(
      profile: SimulationProfile, seed: UInt64
    ) throws {
      let schemas = SchemaCounter(try TestDatabase())

      let simulation = SyncSimulation(seed: seed, profile: profile) { try schemas.makeStore() }

      #expect(throws: Never.self) { _ = try simulation.run() }
      #expect(schemas.count > 0)
    }

    @Test func `the transactions of several processes in one scope follow each other`() throws {
      let database = try TestDatabase()
      let stores = try (0..<3).map { _ in
        try database.makeStore(PostgresSyncOptions(maximumConnections: 4))
      }
      let heads = Mutex<[Int64]>([])

      DispatchQueue.concurrentPerform(iterations: 12) { thread in
        for _ in 0..<10 {
          guard let head = try? stores[thread % stores.count].addBook() else { return }
          heads.withLock { $0.append(head) }
        }
      }

      #expect(heads.withLock { $0.sorted() } == Array(1...120))
      #expect(try stores[0].books().map(\.version) == Array(1...120))
    }

    @Test func `several processes can serve one server's scopes`() throws {
      let database = try TestDatabase()
      let (first, second) = (try database.makeStore(), try database.makeStore())

      try first.addBook("Emma", in: "user:1")
      try second.addBook("Persuasion", in: "user:1")
      try second.addBook("Ulysses", in: "user:2")

      let books = try first.books(in: "user:1").map(\.dataIdentifier.text)
      #expect(books == ["Emma", "Persuasion"])
      #expect(Set(try first.scopes()) == ["user:1", "user:2"])
    }

    @Test func `a closed store throws an error`() throws {
      let store = try TestDatabase().makeStore()
      try store.addBook()

      store.close()

      let error = storageError { try store.addBook() }
      #expect(error?.code == .misuse)
      #expect(error?.suggestion != nil)
    }
  }

  /// A database in which each store has a schema of its own.
  private final class SchemaCounter: Sendable {
    private let database: TestDatabase
    private let number = Mutex(0)

    init(_ database: TestDatabase) { self.database = database }

    var count: Int { number.withLock { $0 } }

    func makeStore() throws -> PostgresSyncStore {
      let name = number.withLock { number in
        number += 1
        return "store_\(number)"
      }
      try database.run("CREATE SCHEMA \(name)")
      return try PostgresSyncStore(
        "\(database.address) options='-c search_path=\(name)'",
        options: PostgresSyncOptions(maximumConnections: 2))
    }
  }
#endif
