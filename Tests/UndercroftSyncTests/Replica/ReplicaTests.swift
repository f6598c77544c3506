import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct ReplicaTests {
  @Test func `using a scope that the database does not synchronise throws a misuse error`() throws {
    let branch = try Town().branch()
    let replica = Replica(
      database: branch.database, scope: "village", environment: branch.town.clock.environment)

    #expect {
      try replica.state()
    } throws: { error in
      StorageError.Code.misuse ~= error
    }
  }

  @Test func `columns that are not synchronised are neither sent nor changed by pulled rows`()
    throws
  {
    let town = Town()
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit("INSERT INTO book(id, title, draft) VALUES ('b1', 'Dune', 'north')")
    try north.sync()
    try south.sync()
    try south.edit("UPDATE book SET draft = 'south'")
    #expect(try south.seal() == 0)

    try south.edit("UPDATE book SET title = 'Emma'")
    try south.sync()
    try north.sync()

    #expect(try north.value("SELECT title || draft FROM book") == "Emmanorth")
    #expect(try south.value("SELECT title || draft FROM book") == "Emmasouth")
    try expectConverged(north, south)
  }

  @Test(arguments: [
    SyncValue.null, .integer(.min), .integer(1 << 53 + 1), .real(-0.0), .real(0.1 + 0.2),
    .real(.infinity), .text("a\0b"), .text("e\u{301}"), .malformedText(Data([0xFF, 0x61])),
    .blob(Data()), .blob(Data([0, 255])),
  ])
  func `values of all types are synchronised with the same types and bytes`(value: SyncValue) throws
  {
    let town = Town()
    let catalogue: SQL = """
      CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE book(id TEXT PRIMARY KEY, title, copies INTEGER, draft TEXT);
      """
    let (north, south) = (try town.branch(catalogue), try town.branch(catalogue))
    try north.edit("INSERT INTO book(id) VALUES ('b1')")
    try north.sync()
    try south.sync()
    let bytes: SQL =
      switch value {
      case .null, .encrypted: "NULL"
      case .integer(let integer): "\(integer)"
      case .real(let real): "\(real)"
      case .text(let text): "\(text)"
      case .malformedText(let data): "CAST(\(data) AS TEXT)"
      case .blob(let data): "\(data)"
      }

    try north.edit("UPDATE book SET title = \(bytes)")
    try north.seal()
    if let sent = try north.sent.first { #expect(sent.change == .update(["title": value])) }
    try north.sync()
    try south.sync()

    #expect(
      try south.value("SELECT title IS \(bytes) AND typeof(title) = typeof(\(bytes)) FROM book")
        == 1)
    #expect(try south.replica.queue().isEmpty)
  }

  @Test func `a pulled value that its column converts to another type is not sent as a change`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 1, ["title": .integer(7)])])
    _ = try branch.replica.execute(limit: 9)
    try branch.edit("UPDATE book SET note = 'torn'")
    try branch.receive([.book("b1", 2, ["title": .integer(8)])])
    _ = try branch.replica.execute(limit: 9)
    try branch.edit("UPDATE book SET note = 'repaired'")

    try branch.seal()

    #expect(try branch.title() == "8")
    #expect(try branch.sent.allSatisfy { Set($0.change.values.keys) == ["note"] })
  }

  @Test
  func `closing and reopening the database after every sync step loses and repeats no change`()
    throws
  {
    try withTemporaryDirectory { folder in
      let town = Town()
      let south = try town.branch()
      try south.edit("INSERT INTO book(id, title, copies) VALUES ('b1', 'Dune', 5)")
      try south.sync()
      let file = folder.appending(path: "north.db")
      var north = try town.branch(at: file)
      func reopen() throws {
        try north.database.close()
        north = town.branch(try Database(at: file))
      }
      let steps: [() throws -> Void] = [
        { try north.download() }, { _ = try north.replica.execute(limit: 1) },
        { _ = try north.replica.execute(limit: 9) },
        { try north.edit("UPDATE book SET copies = copies + 2, title = 'Emma'") },
        { try north.seal() }, { try north.pushWithoutAnswer() },
        { try south.edit("UPDATE book SET note = 'torn', copies = copies + 1") },
        { try south.sync() }, { try north.download() },
        { _ = try north.replica.execute(limit: 1) },
        { try north.edit("UPDATE book SET copies = copies + 3") },
        { _ = try north.replica.execute(limit: 9) }, { try north.push() }, { try north.seal() },
        { try north.pushWithoutAnswer() }, { try north.push() }, { try north.download() },
        { _ = try north.replica.execute(limit: 9) },
      ]

      for step in steps {
        try reopen()
        try step()
      }
      try reopen()
      try north.sync()
      try south.sync()

      #expect(try north.shown == ["b1:Emma:torn:-:11:-:-"])
      try expectConverged(north, south)
    }
  }

  @Test func `a failure while pulled changes are applied rolls back the whole transaction`() throws
  {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 1, [:]), .book("b2", 2, [:])])
    try branch.edit(
      """
      CREATE TRIGGER interruption BEFORE DELETE ON sync_to_execute WHEN OLD.kind = 'end'
      BEGIN SELECT RAISE(ABORT, 'interrupted'); END
      """)
    let state = try branch.replica.state()

    #expect(throws: StorageError.self) { try branch.replica.execute(limit: 9) }
    #expect(try branch.replica.state() == state)
    #expect(try branch.shown == [])

    try branch.edit("DROP TRIGGER interruption")
    #expect(try branch.replica.execute(limit: 9) == 3)
    #expect(try branch.shown.count == 2)
  }

  @Test func `a snapshot preserves unsent changes and removes rows that the server has deleted`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 1, [:]), .book("b2", 2, [:]), .book("b3", 3, [:])])
    _ = try branch.replica.execute(limit: 9)
    try branch.edit(
      "INSERT INTO book(id, title) VALUES ('b4', 'Emma')",
      "UPDATE book SET title = 'Dune' WHERE id IN ('b2', 'b3')")
    try branch.seal()
    let sent = try branch.sent

    try branch.replica.accept(.refused(.reset(.schema, "epoch")) as PullAnswer)
    #expect(try branch.replica.pullRequest(limit: 9).mode == .snapshot)
    try branch.receive([.book("b3", 3, [:])], to: 5)
    _ = try branch.replica.execute(limit: 9)

    #expect(try branch.shown == ["b3:Dune:-:-:0:-:-", "b4:Emma:-:-:0:-:-"])
    #expect(try branch.sent == sent)
    #expect(try branch.replica.pullRequest(limit: 9).mode == .incremental)
  }

  @Test
  func `pulled values of unknown columns and tables are stored until the columns and tables exist`()
    throws
  {
    let branch = try Town().branch()
    let loan = PulledRow(
      table: "loan", dataIdentifier: "l1", version: 2, hybridTimestamp: .zero,
      fields: ["reader": .text("Ada")])
    try branch.receive([
      .book("b1", 1, ["title": .text("Dune"), "shelf": .text("A3")]), loan,
    ])
    _ = try branch.replica.execute(limit: 9)
    #expect(try branch.shown == ["b1:Dune:-:-:0:-:-"])

    try branch.edit(
      "ALTER TABLE book ADD COLUMN shelf TEXT",
      "CREATE TABLE loan(id TEXT PRIMARY KEY, reader TEXT)")
    try SyncSchema.add(
      Branch.tables + [SyncedTable("loan")], toScope: Town.scope, account: Town.account,
      in: branch.database, environment: branch.town.clock.environment)
    try branch.replica.adoptExtras()

    #expect(try branch.value("SELECT shelf FROM book") == "A3")
    #expect(try branch.value("SELECT reader FROM loan") == "Ada")
    #expect(try branch.value("SELECT count(*) FROM sync_extra") == 0)
    #expect(try branch.seal() == 0)
  }

  @Test func `a stored row of an unknown table is removed when its deletion is pulled`() throws {
    let branch = try Town().branch()
    func loan(_ version: Int64, _ fields: FieldValues?) -> PulledRow {
      PulledRow(
        table: "loan", dataIdentifier: "l1", version: version, hybridTimestamp: .zero,
        fields: fields)
    }
    try branch.receive([loan(1, ["reader": .text("Ada")])])
    try branch.receive([loan(2, nil)])

    _ = try branch.replica.execute(limit: 9)

    #expect(try branch.value("SELECT count(*) FROM sync_extra") == 0)
  }

  @Test func `rows of unknown tables are stored separately for each scope of a database`() throws {
    let town = Town()
    let branch = try town.branch()
    try branch.database.execute("CREATE TABLE price(id TEXT PRIMARY KEY NOT NULL)")
    try SyncSchema.add(
      [SyncedTable("price")], toScope: "shop", account: Town.account, in: branch.database)
    let shop = Branch(
      town: town, database: branch.database,
      replica: Replica(
        database: branch.database, scope: "shop", environment: town.clock.environment,
        limits: SyncLimits()))
    func loan(_ reader: String) -> PulledRow {
      PulledRow(
        table: "loan", dataIdentifier: "l1", version: 1, hybridTimestamp: .zero,
        fields: ["reader": .text(reader)])
    }

    for (branch, reader) in [(branch, "Ada"), (shop, "Grace")] {
      try branch.receive([loan(reader)])
      _ = try branch.replica.execute(limit: 9)
    }

    #expect(try branch.value("SELECT count(*) FROM sync_extra") == 2)
    #expect(try branch.replica.digest()?.digest.count == 1)
    #expect(try shop.replica.digest()?.digest.count == 1)
  }

  @Test func `a pulled page with the maximum timestamp does not make later edits fail`() throws {
    let branch = try Town().branch()
    let state = try branch.replica.state()
    let page = SyncPage(
      epoch: "epoch", replica: state.replica, from: 0, to: 1, head: 1, hybridTimestamp: .maximum,
      serverTime: .max, rows: [.book("b1", 1, ["title": .text("Dune")])])
    try branch.replica.accept(.page(page))
    _ = try branch.replica.execute(limit: 9)

    try branch.edit("UPDATE book SET title = 'Emma'")
    try branch.edit("UPDATE book SET title = 'Ubik'")

    #expect(try branch.seal() == 1)
    #expect(try branch.replica.state().serverOffset == 0)
  }

  @Test
  func `operations get increasing timestamps even if the clock is set back`()
    throws
  {
    let branch = try Town().branch()
    try branch.pull()
    try branch.edit("INSERT INTO book(id) VALUES ('b1')")
    try branch.seal()
    branch.town.clock.advance(-60_000)
    try branch.edit("INSERT INTO book(id) VALUES ('b2')")
    try branch.seal()

    let times = try branch.sent.map(\.hybridTimestamp)

    #expect(times.count == 2)
    #expect(times == times.sorted() && Set(times).count == 2)
  }

  @Test func `only one process at a time can hold the sync lease of a database`() throws {
    let branch = try Town().branch()
    let replica = branch.replica

    #expect(try replica.acquireLease(owner: "p1", milliseconds: 1000))
    #expect(try replica.acquireLease(owner: "p1", milliseconds: 1000))
    #expect(try !replica.acquireLease(owner: "p2", milliseconds: 1000))
    branch.town.clock.advance(1000)
    #expect(try replica.acquireLease(owner: "p2", milliseconds: 1000))
    try replica.releaseLease(owner: "p1")
    #expect(try !replica.acquireLease(owner: "p1", milliseconds: 1000))
    try replica.releaseLease(owner: "p2")
    #expect(try replica.acquireLease(owner: "p1", milliseconds: 1000))
    // The clock was wrong when the lease was acquired.
    branch.town.clock.advance(-1_000_000)
    #expect(try replica.acquireLease(owner: "p2", milliseconds: 1000))
  }

  @Test func `a sync lease is renewed after half of its duration`() throws {
    let branch = try Town().branch()
    let replica = branch.replica

    #expect(try replica.acquireLease(owner: "p1", milliseconds: 1000))
    branch.town.clock.advance(400)
    #expect(try replica.acquireLease(owner: "p1", milliseconds: 1000))
    let end = try branch.value("SELECT lease_until_ms FROM sync_scope", as: Int64.self)
    #expect(end == branch.town.clock.now + 600)
    branch.town.clock.advance(200)
    #expect(try replica.acquireLease(owner: "p1", milliseconds: 1000))

    branch.town.clock.advance(999)
    #expect(try !replica.acquireLease(owner: "p2", milliseconds: 1000))
  }

  #if os(Linux)
    @Test
    func `another process can immediately acquire the sync lease of a process that has ended`()
      throws
    {
      let replica = try Town().branch().replica
      let running = Replica.leaseOwner("e1")
      let ended = running.replacing("#", with: "0#")

      #expect(try replica.acquireLease(owner: ended, milliseconds: 1000))
      #expect(try replica.acquireLease(owner: running, milliseconds: 1000))
      #expect(try !replica.acquireLease(owner: Replica.leaseOwner("e2"), milliseconds: 1000))
    }

    @Test
    func `an engine can immediately acquire a lease whose release failed in the same process`()
      throws
    {
      let replica = try Town().branch().replica
      let (first, second) = (Replica.leaseOwner("e1"), Replica.leaseOwner("e2"))
      #expect(try replica.acquireLease(owner: first, milliseconds: 1000))
      #expect(try !replica.acquireLease(owner: second, milliseconds: 1000))
      try replica.database.execute("UPDATE sync_clock SET format = 99")
      #expect(throws: StorageError.self) { try replica.releaseLease(owner: first) }
      try replica.database.execute("UPDATE sync_clock SET format = \(SyncSchema.format)")

      #expect(try replica.acquireLease(owner: second, milliseconds: 1000))
    }
  #endif
}
