import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct SyncEngineTests {
  @Test func `two databases converge through a server in the same process`() async throws {
    let server = SyncServer(store: InMemorySyncStore(), access: { _, _ in .readWrite })
    let (north, south) = (try Database.inMemory(), try Database.inMemory())
    let engines = try [north, south].map { database in
      try database.execute("CREATE TABLE book(id TEXT PRIMARY KEY NOT NULL, title TEXT)")
      return try SyncEngine(
        database, scope: "town", account: "librarian", tables: [SyncedTable("book")],
        peer: server.peer(account: "librarian"))
    }
    try north.execute("INSERT INTO book VALUES ('b1', 'Dune'), ('b2', 'Emma')")
    try south.execute("INSERT INTO book VALUES ('b3', 'Iliad')")

    for engine in [engines[0], engines[1], engines[0]] { try await engine.sync() }

    for database in [north, south] {
      #expect(
        try database.fetchAll("SELECT title FROM book ORDER BY id") { row in try row[0] as String }
          == ["Dune", "Emma", "Iliad"])
    }
    #expect(engines[0].currentStatus.pending == 0)
    #expect(engines[0].currentStatus.lag == 0)
  }

  @Test func `a synchronisation returns the numbers of pushed and pulled changes`() async throws {
    let town = Town()
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try north.branch.edit("INSERT INTO book(id) VALUES ('b1'), ('b2')")

    let sent = try await north.engine.sync()
    let received = try await south.engine.sync()

    #expect(sent.pushed == 2)
    #expect(received.pushed == 0)
    #expect(received.pulled == 2)
    #expect(south.engine.currentStatus.cursor == 2)
  }

  @Test
  func `a synchronisation does nothing while another process synchronises the same sync scope`()
    async throws
  {
    let reader = try Reader(in: Town())
    try reader.branch.edit("INSERT INTO book(id) VALUES ('b1')")
    _ = try reader.branch.replica.acquireLease(owner: "other", milliseconds: 60_000)

    let outcome = try await reader.engine.sync()

    #expect(outcome.isLeasedElsewhere)
    #expect(try reader.courier.packets.isEmpty)
    try reader.branch.replica.releaseLease(owner: "other")
    #expect(try await !reader.engine.sync().isLeasedElsewhere)
    #expect(try reader.branch.replica.acquireLease(owner: "other", milliseconds: 60_000))
  }

  @Test(arguments: ["", "{", "[]", "<html>404</html>", #"{"protocol":99}"#, #"{"protocol":1}"#])
  func `if the server's answer is unreadable, a synchronisation throws and advances no cursor`(
    answer: String
  ) async throws {
    for endpoint in [SyncRequest.Endpoint.hello, .pull, .push] {
      let reader = try Reader(in: Town())
      try await reader.engine.sync()
      try reader.branch.edit("INSERT INTO book(id) VALUES ('b1')")
      let before = try reader.branch.replica.state()
      let engine = try SyncEngine(
        reader.branch.database, scope: Town.scope, account: Town.account, tables: Branch.tables,
        peer: reader.courier, environment: reader.branch.town.clock.environment)
      reader.courier.set(.answers(answer), for: endpoint)

      await #expect { try await engine.sync() } throws: { error in
        (error as? StorageError)?.suggestion != nil
      }

      let status = engine.currentStatus
      #expect(status.state == .failed)
      #expect(status.lastError != nil)
      #expect(status.pending == 1)
      let after = try reader.branch.replica.state()
      #expect(after.downloadCursor == before.downloadCursor)
      #expect(after.appliedCursor == before.appliedCursor)
      #expect(after.resultsThrough == before.resultsThrough)
      reader.courier.set(nil, for: endpoint)
      try await engine.sync()
      #expect(engine.currentStatus.pending == 0)
      #expect(engine.currentStatus.lastError == nil)
    }
  }

  @Test
  func `each pushed packet confirms the server's results for the packets before it`() async throws {
    let reader = try Reader(in: Town())
    try reader.branch.edit(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)
      INSERT INTO book(id) SELECT 'b' || i FROM n
      """)

    try await reader.engine.sync()

    #expect(try reader.courier.packets.map(\.operations.count) == [500, 500, 1])
    #expect(try reader.courier.packets.map(\.resultsThrough) == [0, 500, 1000])
  }

  @Test func `a synchronisation throws if the server never returns results for pushed operations`()
    async throws
  {
    let reader = try Reader(in: Town())
    try await reader.engine.sync()
    try reader.branch.edit("INSERT INTO book(id) VALUES ('b1')")
    let held = PushAnswer.held(expectedSequence: 1, expectedDependency: nil)
    reader.courier.set(.answers(String(decoding: try held.encoded(), as: UTF8.self)), for: .push)

    await #expect { try await reader.engine.sync() } throws: { error in
      StorageError.Code.unavailable ~= error
    }

    #expect(reader.engine.currentStatus.unacknowledged == 1)
  }

  @Test
  func `if the server's answer to a push is too large, the pushed change remains in the queue`()
    async throws
  {
    let reader = try Reader(in: Town())
    try await reader.engine.sync()
    try reader.branch.edit("INSERT INTO book(id) VALUES ('b1')")
    let answer = String(repeating: " ", count: SyncLimits.messageBytes + 1)
    reader.courier.set(.answers(answer), for: .push)

    await #expect { try await reader.engine.sync() } throws: { error in
      StorageError.Code.tooLarge ~= error
    }

    #expect(try reader.engine.conflicts().isEmpty)
    #expect(try reader.branch.books == ["b1"])
    reader.courier.set(nil, for: .push)
    try await reader.engine.sync()
    #expect(reader.engine.currentStatus.pending == 0)
  }

  @Test
  func `synchronising throws unavailable if the server refuses each push with the error forked`()
    async throws
  {
    let reader = try Reader(in: Town())
    try await reader.engine.sync()
    try reader.branch.edit("INSERT INTO book(id) VALUES ('b1')")
    let forked = PushAnswer.refused(.forked)
    reader.courier.set(.answers(String(decoding: try forked.encoded(), as: UTF8.self)), for: .push)

    await #expect { try await reader.engine.sync() } throws: { error in
      StorageError.Code.unavailable ~= error
    }

    reader.courier.set(nil, for: .push)
    try await reader.engine.sync()
    #expect(reader.engine.currentStatus.pending == 0)
  }

  @Test
  func `a cancelled synchronisation throws, and another process can then synchronise`() async throws
  {
    let reader = try Reader(in: Town())
    try reader.branch.edit("INSERT INTO book(id) VALUES ('b1')")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await reader.engine.sync()
    }

    await #expect(throws: CancellationError.self) { try await task.value }

    #expect(try reader.branch.replica.acquireLease(owner: "other", milliseconds: 60_000))
  }

  @Test
  func `disabling synchronisation removes the sync tables and triggers and preserves the rows`()
    async throws
  {
    let reader = try Reader(in: Town())
    try reader.branch.edit("INSERT INTO book(id) VALUES ('b1')")
    try await reader.engine.sync()

    try await reader.engine.disable()

    #expect(
      try reader.branch.value(
        "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'sync%' OR name = 'DirtyList'") == 0)
    #expect(try reader.branch.books == ["b1"])
    #expect(reader.engine.currentStatus.state == .disabled)
    await #expect { try await reader.engine.sync() } throws: { error in
      StorageError.Code.misuse ~= error
    }
    #expect { try reader.engine.start() } throws: { error in StorageError.Code.misuse ~= error }
    #expect {
      try reader.engine.conflicts()
    } throws: { error in
      StorageError.Code.misuse ~= error && "\(error)".contains("synchronisation is switched off")
    }
  }

  @Test func `an engine that only sent changes pulls all rows after it is created as two-way`()
    async throws
  {
    let town = Town()
    let (north, log) = (try Reader(in: town), try Reader(in: town, direction: .oneWay))
    try north.branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune'), ('b2', 'Emma')")
    try log.branch.edit("INSERT INTO book(id, title) VALUES ('b3', 'Iliad')")
    for reader in [log, north] { try await reader.engine.sync() }
    try north.branch.edit("UPDATE book SET title = 'Odyssey' WHERE id = 'b3'")
    try log.branch.edit("UPDATE book SET note = 'torn' WHERE id = 'b3'")

    let reader = try Reader(log.branch)
    for engine in [north.engine, reader.engine, north.engine, reader.engine] {
      _ = try await engine.sync()
    }

    #expect(try reader.branch.books == ["b1", "b2", "b3"])
    #expect(try reader.branch.title("b3") == "Odyssey")
    try expectConverged(north.branch, reader.branch)
  }

  @Test func `the status stream yields pulling and pushing, and idle after the synchronisation`()
    async throws
  {
    let reader = try Reader(in: Town())
    try reader.branch.edit("INSERT INTO book(id) VALUES ('b1')")
    var statuses = reader.engine.status().makeAsyncIterator()

    try await reader.engine.sync()

    var states: [SyncStatus.State] = []
    while states.count < 2 || states.last != .idle {
      guard let status = await statuses.next() else { break }
      states.append(status.state)
    }
    #expect(states.first == .idle)
    #expect(states.contains(.pulling))
    #expect(states.contains(.pushing))
    #expect(states.last == .idle)
  }
}
