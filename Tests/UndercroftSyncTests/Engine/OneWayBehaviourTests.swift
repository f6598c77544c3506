import BehaviourTrait
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct OneWayBehaviourTests {
  private let town = Town()

  @Test(.behaviour("A-S1-01"), arguments: [SyncDirection.oneWay, .twoWay])
  func `a changed row is listed as dirty until the server acknowledges the change`(
    direction: SyncDirection
  ) async throws {
    let reader = try Reader(in: town, direction: direction)
    try await reader.engine.sync()
    try reader.branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    let identifier = try #require(try reader.dirty.first)
    reader.courier.set(.losesAnswer, for: .push)

    await #expect(throws: StorageError.self) { try await reader.engine.sync() }
    #expect(try reader.dirty == [identifier])
    reader.courier.set(nil, for: .push)
    try await reader.engine.sync()

    #expect(try reader.dirty.isEmpty)
    #expect(try reader.branch.title() == "Dune")
  }

  @Test(.behaviour("A-S1-02"), arguments: [SyncDirection.oneWay, .twoWay])
  func `if a row is edited while its earlier change is pushed, the edit is sent as a new operation`(
    direction: SyncDirection
  ) async throws {
    let (reader, other) = (try Reader(in: town, direction: direction), try Reader(in: town))
    let branch = reader.branch
    try branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    reader.courier.set(
      .isSlow { try branch.edit("UPDATE book SET title = 'Emma'") }, for: .push)

    try await reader.engine.sync()
    try await other.engine.sync()

    let sent = try reader.courier.sentOperations
    #expect(Set(sent).count == 2)
    #expect(try reader.dirty.isEmpty)
    #expect(try other.branch.title() == "Emma")
    #expect(try branch.title() == "Emma")
  }

  @Test(.behaviour("A-S1-03"), arguments: [SyncDirection.oneWay, .twoWay])
  func
    `a deleted row disappears at once, and its sync record once the server acknowledges the deletion`(
      direction: SyncDirection
    ) async throws
  {
    let reader = try Reader(in: town, direction: direction)
    try reader.branch.edit("INSERT INTO book(id) VALUES ('b1')")
    try await reader.engine.sync()
    let deleted: SQL = "SELECT count(*) FROM sync_record WHERE isDeleted"
    reader.courier.set(.losesRequest, for: .push)

    try reader.branch.edit("DELETE FROM book")
    await #expect(throws: StorageError.self) { try await reader.engine.sync() }

    #expect(try reader.branch.books.isEmpty)
    #expect(try reader.branch.value(deleted) == 1)
    reader.courier.set(nil, for: .push)
    try await reader.engine.sync()
    #expect(try reader.branch.value(deleted) == 0)
  }

  @Test(.behaviour("A-S1-04"))
  func `after a failed push, a one-way sync engine has the state failed and waits for a retry`()
    async throws
  {
    var options = SyncOptions()
    (options.shortestBackOff, options.longestBackOff, options.interval) = (1, 2, 5)
    let reader = try Reader(in: town, direction: .oneWay, options: options)
    try reader.branch.edit("INSERT INTO book(id) VALUES ('b1')")
    reader.courier.set(.losesRequest, for: .push)

    try reader.engine.start()
    #expect(try await eventually { reader.engine.currentStatus.state == .failed })
    reader.branch.town.clock.advance()
    try await Task.sleep(for: .milliseconds(50))

    #expect(reader.engine.currentStatus.unacknowledged == 1)
    #expect(reader.engine.currentStatus.lastError != nil)
    #expect(try reader.courier.packets.count == 1)
    reader.courier.set(nil, for: .push)
    try await reader.engine.retry()
    #expect(reader.engine.currentStatus.unacknowledged == 0)
    reader.engine.stop()
  }

  @Test(.behaviour("A-S1-05"))
  func `the server applies packets of operations in the order of their creation, not arrival`()
    async throws
  {
    let (reader, other) = (try Reader(in: town), try Reader(in: town))
    try await reader.engine.sync()
    try reader.branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try reader.branch.seal()
    try reader.branch.edit("UPDATE book SET title = 'Emma'")
    try reader.branch.seal()
    let packets = try reader.branch.replica.packets(operations: 1, bytes: 1 << 20)
    try #require(packets.count == 2)
    #expect(packets[1].chainBefore.lastOperation == packets[0].operations[0].operationIdentifier)

    let early = try town.server.push(packets[1], account: Town.account)
    let late = try town.server.push(packets[0], account: Town.account)

    guard case .held = early, case .results(let results) = late else {
      Issue.record("\(early), \(late)")
      return
    }
    #expect(results.results.map(\.sequence) == [1, 2])
    try await other.engine.sync()
    #expect(try other.branch.title() == "Emma")
  }

  @Test(.behaviour("A-S1-06"))
  func
    `a replica sends packets again that the server dropped because too many arrived out of order`()
    async throws
  {
    var limits = SyncLimits()
    limits.window = 200
    let (reader, other) = (try Reader(try town.branch(limits: limits)), try Reader(in: town))
    try await reader.engine.sync()
    try reader.branch.edit(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 103)
      INSERT INTO book(id, copies) SELECT 'b' || i, i FROM n
      """)
    try reader.branch.seal()
    let packets = try reader.branch.replica.packets(operations: 1, bytes: 1 << 20)
    try #require(packets.count == 103)

    for packet in packets.dropFirst() {
      let answer = try town.server.push(packet, account: Town.account)
      guard case .held = answer else {
        Issue.record("\(answer)")
        return
      }
    }
    let first = try town.server.push(packets[0], account: Town.account)
    guard case .results(let results) = first else {
      Issue.record("\(first)")
      return
    }
    #expect(results.lastSequence < 103)
    try await reader.engine.sync()
    try await other.engine.sync()

    #expect(try town.server.head(of: Town.scope) == 103)
    #expect(try other.branch.value("SELECT sum(copies) FROM book") == 103 * 104 / 2)
    #expect(try reader.dirty.isEmpty)
  }

  @Test(.behaviour("A-S1-07"))
  func `several edits of a row before sending are sent as one operation`() async throws {
    let reader = try Reader(in: town, direction: .oneWay)
    try reader.branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try reader.branch.edit("UPDATE book SET title = 'Emma'")
    try reader.branch.edit("UPDATE book SET note = 'torn'")

    try await reader.engine.sync()

    #expect(try reader.courier.sentOperations.count == 1)
  }

  @Test(.behaviour("A-S1-08"))
  func `a row that is inserted and deleted before a synchronisation is never sent`() async throws {
    let reader = try Reader(in: town, direction: .oneWay)
    try reader.branch.edit("INSERT INTO book(id) VALUES ('b1')")
    try reader.branch.edit("DELETE FROM book")

    try await reader.engine.sync()

    #expect(try reader.courier.packets.isEmpty)
    #expect(try reader.dirty.isEmpty)
  }

  @Test(.behaviour("A-S1-09"))
  func `if the server receives a packet of operations twice, the server applies the packet once`()
    async throws
  {
    let (reader, other) = (try Reader(in: town, direction: .oneWay), try Reader(in: town))
    try reader.branch.edit("INSERT INTO book(id, copies) VALUES ('b1', 1)")
    try await reader.engine.sync()
    try reader.branch.edit("UPDATE book SET copies = copies + 2")
    reader.courier.set(.repeatsRequest, for: .push)

    try await reader.engine.sync()
    try await other.engine.sync()

    #expect(try reader.dirty.isEmpty)
    #expect(try other.branch.copies() == 3)
    #expect(try reader.branch.copies() == 3)
  }

  @Test(.behaviour("A-S1-10"))
  func `the list of dirty rows contains the changed rows of all tables`() async throws {
    let reader = try Reader(in: town, direction: .oneWay)
    try reader.branch.edit(
      "INSERT INTO author(id, name) VALUES (1, 'Austen')",
      "INSERT INTO book(id, author) VALUES ('b1', 1)")

    let tables = try reader.branch.database.fetchAll(
      "SELECT tablename FROM DirtyList ORDER BY tablename"
    ) { row in try row[0] as String }

    #expect(tables == ["author", "book"])
    try await reader.engine.sync()
    #expect(try reader.dirty.isEmpty)
  }

  @Test(.behaviour("A-S1-11"))
  func `after a crash, an unacknowledged operation is sent again with the same identifier`()
    async throws
  {
    let first = try Reader(in: town, direction: .oneWay)
    try first.branch.edit("INSERT INTO book(id, copies) VALUES ('b1', 5)")
    first.courier.set(.losesAnswer, for: .push)
    await #expect(throws: StorageError.self) { try await first.engine.sync() }

    let second = try Reader(try first.branch.copy(), direction: .oneWay)
    try await second.engine.sync()

    let sent = try first.courier.sentOperations
    #expect(sent.count == 1)
    #expect(try second.courier.sentOperations == sent)
    #expect(try second.dirty.isEmpty)
    #expect(try town.server.head(of: Town.scope) == 1)
  }
}
