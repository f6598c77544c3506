import Testing
import UndercroftCore
import UndercroftSync

/// Tests of the conflicts that pulled pages contain.
@Suite struct PulledConflictTests {
  private let server: SyncServer
  private var ann: Device
  private var bob: Device
  private let seen = AuthorKnowledge(base: 1, seen: 1, baseCursor: 1)

  /// Creates a server with a row that "ann" has inserted, and "bob" has changed at minute 2.
  init() throws {
    server = SyncServer(store: InMemorySyncStore(), environment: TestClock().environment)
    ann = try Device("ann", on: server)
    bob = try Device("bob", on: server)
    try ann.send(.insert(.title("Dune"), counters: ["loans": 0]))
    try bob.send(.update(.title("Bob's")), knowing: seen, minute: 2)
  }

  @Test func `the author of a change that loses receives the lost values as a conflict`() throws {
    var ann = ann
    let result = try ann.send(.update(.title("Ann's")), knowing: seen, minute: 1)

    let conflicts = try #require(try ann.page(after: 2)?.conflicts)

    #expect(result?.lost == ["title"])
    #expect(conflicts.map(\.kind) == [.operationValuesLost])
    #expect(conflicts.map(\.conflictIdentifier) == result?.conflicts)
    #expect(conflicts.first?.values["title"]?.value == .text("Ann's"))
    #expect(try bob.page(after: 2)?.conflicts == [])
  }

  @Test func `the author of an overwritten value receives the value as a conflict`() throws {
    var ann = ann
    try ann.send(.update(.title("Ann's")), knowing: seen, minute: 3)

    let conflicts = try #require(try bob.page(after: 2)?.conflicts)

    #expect(conflicts.map(\.kind) == [.rowValuesLost])
    #expect(conflicts.first?.values["title"]?.value == .text("Bob's"))
    #expect(try ann.page(after: 2)?.conflicts == [])
  }

  @Test func `all devices of an account receive the conflicts of the account`() throws {
    var (phone, tablet) = (
      try Device("phone", account: "zoe", on: server),
      try Device("tablet", account: "zoe", on: server)
    )
    try phone.send(.update(.title("Zoe's")), knowing: seen, minute: 1)

    #expect(try tablet.page(after: 2)?.conflicts.count == 1)
    #expect(try tablet.page()?.conflicts.count == 1)
  }

  @Test
  func `a conflict advances the scope version even if the conflicting operation changes no row`()
    throws
  {
    var ann = ann
    let result = try ann.send(.update(.title("Emma")), on: "b9")

    let page = try #require(try ann.page(after: 2))

    #expect(result?.version == 0)
    #expect(page.rows == [])
    #expect(page.to == 3)
    #expect(page.conflicts.map(\.kind) == [.updateOfMissingRow])
  }

  @Test func `pulling changes in pages of any size returns every conflict once`() throws {
    var ann = ann
    for number in 1...5 {
      try ann.send(.update(.title("\(number)")), on: DataIdentifier("m\(number)"))
      try ann.send(.insert(.title("\(number)")), on: DataIdentifier("n\(number)"))
    }
    for (limit, bytes) in [(1, 1_000_000), (2, 1_000_000), (1000, 1), (1000, 500), (1000, 2000)] {
      var (cursor, conflicts, rows): (Int64, [SyncConflict], Int) = (0, [], 0)
      while let page = try ann.page(after: cursor, limit: Int64(limit), bytes: Int64(bytes)) {
        conflicts += page.conflicts
        rows += page.rows.count
        cursor = page.to
        if !page.hasMore { break }
      }
      #expect(conflicts.compactMap { $0.values["title"]?.value } == (1...5).map { .text("\($0)") })
      #expect(rows == 6)
    }
  }

  @Test func `the author of an update receives a conflict if another author deletes the row`()
    throws
  {
    var ann = ann
    try ann.send(.delete, knowing: seen)

    #expect(try bob.page(after: 2)?.conflicts.map(\.kind) == [.deletionWon])
  }

  @Test func `the author of a deletion receives a conflict if an update restores the row`() throws {
    let server = SyncServer(
      store: InMemorySyncStore(), policies: ["book": TablePolicy(deletion: .updateWins)],
      environment: TestClock().environment)
    var (ann, bob) = (try Device("ann", on: server), try Device("bob", on: server))
    try ann.send(.insert(.title("Dune")))
    try ann.send(.delete, knowing: seen)

    try bob.send(.update(.title("Bob's")), knowing: seen)

    #expect(try ann.page(after: 2)?.conflicts.map(\.kind) == [.rowRestored])
    #expect(try bob.page(after: 2)?.conflicts == [])
  }

  @Test func `if the losing author's account is unknown, the winning author receives the conflict`()
    throws
  {
    let store = InMemorySyncStore()
    let server = SyncServer(store: store, environment: TestClock().environment)
    var (ann, bob) = (try Device("ann", on: server), try Device("bob", on: server))
    try ann.send(.insert(.title("Dune")))
    try bob.send(.update(.title("Bob's")), knowing: seen, minute: 2)
    try store.write(in: Device.scope) { try $0.removeReplica("bob") }

    try ann.send(.update(.title("Ann's")), knowing: seen, minute: 3)

    #expect(try ann.page(after: 2)?.conflicts.map(\.kind) == [.rowValuesLost])
  }

  @Test func `pushing a sync packet again stores no second conflict`() throws {
    var ann = ann
    let packet = ann.seal(.update(.title("Emma")), on: "b9")
    _ = try ann.push(packet)
    _ = try ann.push(packet)

    #expect(try ann.page()?.conflicts.count == 1)
    #expect(try server.head(of: Device.scope) == 3)
  }
}
