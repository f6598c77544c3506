import Testing
import UndercroftCore
import UndercroftSync

@Suite struct PullTests {
  private let server: SyncServer
  private var ann: Device

  init() throws {
    server = SyncServer(store: InMemorySyncStore(), environment: TestClock().environment)
    ann = try Device("ann", on: server)
  }

  private func inserted(_ count: Int) throws -> Device {
    var ann = ann
    for number in 1...count {
      try ann.send(.insert(.title("\(number)")), on: DataIdentifier("b\(number)"))
    }
    return ann
  }

  @Test
  func `a pulled page of changes contains the rows after the cursor in the order of versions`()
    throws
  {
    var ann = try inserted(3)
    try ann.send(
      .update(.title("first")), on: "b1",
      knowing: AuthorKnowledge(base: 1, seen: 1, baseCursor: 3))

    let page = try #require(try ann.page(after: 1))

    #expect(page.rows.map(\.dataIdentifier) == ["b2", "b3", "b1"])
    #expect(page.rows.map(\.version) == [2, 3, 4])
    #expect(page.rows.last?.fields == .title("first"))
    #expect(page.from == 1)
    #expect(page.to == 4)
    #expect(!page.hasMore)
    #expect(page.head == 4)
    #expect(page.serverTime == Desk.now)
  }

  @Test func `a pulled page of changes contains a deleted row without values`() throws {
    var ann = try inserted(1)
    try ann.send(.delete, on: "b1", knowing: AuthorKnowledge(base: 1, seen: 1, baseCursor: 1))

    let row = try #require(try ann.page()?.rows.first)

    #expect(row.version == 2)
    #expect(row.fields == nil)
  }

  @Test func `pulling changes in pages of any size returns every row once`() throws {
    let ann = try inserted(7)
    for limit in 1...8 {
      var cursor: Int64 = 0
      var found: [DataIdentifier] = []
      while let page = try ann.page(after: cursor, limit: Int64(limit)) {
        found += page.rows.map(\.dataIdentifier)
        #expect(page.rows.count <= limit)
        cursor = page.to
        if !page.hasMore { break }
      }
      #expect(found == (1...7).map { DataIdentifier("b\($0)") })
      #expect(cursor == 7)
    }
  }

  @Test
  func `a pulled page of changes ends with the row that reaches the requested number of bytes`()
    throws
  {
    let ann = try inserted(5)

    let first = try #require(try ann.page(bytes: 1))
    let rest = try #require(try ann.page(after: 1, bytes: 100_000))

    #expect(first.rows.count == 1)
    #expect(first.hasMore)
    #expect(rest.rows.count == 4)
  }

  @Test func `a pull with limits of 0 rows and 0 bytes returns one row`() throws {
    let ann = try inserted(2)

    let page = try #require(try ann.page(limit: 0, bytes: 0))

    #expect(page.rows.count == 1)
    #expect(page.hasMore)
  }

  @Test func `the server's limits apply even if a request asks for more rows`() throws {
    var limits = SyncLimits()
    limits.pageRows = 2
    let server = SyncServer(
      store: InMemorySyncStore(), limits: limits, environment: TestClock().environment)
    var ann = try Device("ann", on: server)
    for number in 1...3 { try ann.send(.insert([:]), on: DataIdentifier("b\(number)")) }

    #expect(try ann.page(limit: .max >> 11, bytes: .max >> 11)?.rows.count == 2)
  }

  @Test
  func `a pulled page of changes contains the hash of all operations that the replica has sent`()
    throws
  {
    let ann = try inserted(2)
    let bob = try Device("bob", on: server)

    #expect(try ann.page()?.appliedThrough == ann.chain)
    #expect(try bob.page()?.appliedThrough == OperationChain())
  }

  @Test
  func `a pulled page of changes repeats the generation number and the cursor of its request`()
    throws
  {
    var request = try inserted(2).request(after: 1)
    request.generation = 9

    let page = try #require(try ann.pull(request).page)

    #expect(page.generation == 9)
    #expect(page.from == 1)
  }

  @Test
  func
    `a pull that names no server history creates the scope and is refused with the new history`()
    throws
  {
    var request = ann.request()
    (request.scope, request.epoch) = ("new", nil)

    guard case .refused(.epoch(let epoch)) = try ann.pull(request) else {
      Issue.record("the request was accepted")
      return
    }

    request.epoch = epoch
    #expect(try ann.pull(request).page?.head == 0)
  }

  @Test
  func `the refusal of a pull for an earlier server history names the current history`() throws {
    let epoch = try server.restoreEpoch(of: Device.scope)

    #expect(try ann.pull(ann.request()) == .refused(.epoch(epoch)))
  }

  @Test func `a pull throws if its cursor is beyond the server's newest version`() throws {
    let error = #expect(throws: StorageError.self) { try ann.pull(ann.request(after: 5)) }

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("version 5 of the scope, but the latest version") == true)
    #expect(error?.message.contains("of the scope on the server is 0") == true)
    #expect(error?.suggestion?.contains("restoreEpoch") == true)
  }

  @Test func `the digest of a scope is computed from the live rows only`() throws {
    var ann = try inserted(3)
    try ann.send(.delete, on: "b2", knowing: AuthorKnowledge(base: 2, seen: 2, baseCursor: 3))
    try ann.send(
      .update(.title("new")), on: "b3", knowing: AuthorKnowledge(base: 3, seen: 3, baseCursor: 3))
    var expected = ScopeDigest()
    expected.add(table: "book", row: "b1", version: 1)
    expected.add(table: "book", row: "b3", version: 5)

    let answer = try server.digest(
      DigestRequest(scope: Device.scope, version: 5), account: "ann")

    #expect(answer == DigestAnswer(version: 5, digest: expected))
  }

  @Test func `the answer to a hello request contains the limits and the state of the scopes`()
    throws
  {
    let ann = try inserted(2)
    try server.compact(Device.scope, through: 1)
    let hello = HelloRequest(
      replica: "ann", account: "ann", scopes: [Device.scope, "new"], startTime: 7)

    let answer = try server.hello(hello, account: "ann")

    #expect(answer.startTime == 7)
    #expect(answer.serverTime == Desk.now)
    #expect(answer.limits == SyncLimits())
    #expect(answer.scopes.map(\.scope) == [Device.scope, "new"])
    #expect(answer.scopes.map(\.head) == [2, 0])
    #expect(answer.scopes.map(\.floor) == [1, 0])
    #expect(answer.scopes[0].epoch == ann.request().epoch)
    #expect(answer.scopes[1].epoch != answer.scopes[0].epoch)
  }
}
