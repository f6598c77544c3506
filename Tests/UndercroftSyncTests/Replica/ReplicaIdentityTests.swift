import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of copied and restored database files, and of changes of the server's history.
@Suite struct ReplicaIdentityTests {
  /// Returns a branch that has synchronised a book with 5 copies.
  private func stocked(_ town: Town) throws -> Branch {
    let branch = try town.branch()
    try branch.edit("INSERT INTO book(id, title, copies) VALUES ('b1', 'Dune', 5)")
    try branch.sync()
    return branch
  }

  @Test
  func `if two copies of a database file send the same change, the server applies the change once`()
    throws
  {
    let town = Town()
    let north = try stocked(town)
    try north.edit("UPDATE book SET copies = copies + 2")

    let south = try north.copy()
    try north.sync()
    try south.sync()
    try south.sync()
    try north.sync()

    #expect(try north.copies() == 7)
    try expectConverged(north, south)
  }

  @Test
  func `increments that a copy of the database file has already sent are not added again`()
    throws
  {
    let town = Town()
    let north = try stocked(town)
    try north.edit("UPDATE book SET copies = copies + 5")
    let south = try north.copy()
    try south.sync()

    try north.edit("UPDATE book SET copies = copies + 1")
    for _ in 0..<3 { try north.sync() }
    try south.sync()

    #expect(try north.copies() == 11)
    try expectConverged(north, south)
  }

  @Test
  func
    `the server subtracts an undone increment that a copy of the database file has already sent`()
    throws
  {
    let town = Town()
    let north = try stocked(town)
    try north.edit("UPDATE book SET copies = copies + 5")
    let south = try north.copy()
    try south.sync()

    try north.edit("UPDATE book SET copies = copies - 5")
    for _ in 0..<3 { try north.sync() }
    try south.sync()

    #expect(try north.copies() == 5)
    try expectConverged(north, south)
  }

  @Test
  func `a copied replica ignores the result of an operation that only the original has sent`()
    throws
  {
    let town = Town()
    let north = try stocked(town)
    try north.edit("UPDATE book SET copies = copies + 2")
    let south = try north.copy()
    try north.seal()
    let packet = try #require(try north.replica.packets(operations: 9, bytes: 999).first)
    let answer = try town.server.push(packet, account: Town.account)

    try south.replica.accept(answer)

    #expect(try south.replica.queue().unsealed == 1)
    #expect(try south.copies() == 7)
  }

  @Test
  func `a replica whose database file lacks operations known to the server gets a new identity`()
    throws
  {
    let town = Town()
    let north = try stocked(town)
    let south = try north.copy()
    try north.edit("UPDATE book SET title = 'Emma'")
    try north.sync()
    let before = try south.replica.state().replica

    try south.edit("UPDATE book SET note = 'torn'")
    for _ in 0..<3 { try south.sync() }
    try north.sync()

    #expect(try south.replica.state().replica != before)
    #expect(try north.title() == "Emma")
    #expect(try north.value("SELECT note FROM book") == "torn")
    try expectConverged(north, south)
  }

  @Test
  func `operations of other tables are sent after a table with unsent operations was dropped`()
    throws
  {
    let town = Town()
    let branch = try town.branch()
    try branch.sync()
    try branch.edit(
      "INSERT INTO book(id) VALUES ('b1')", "INSERT INTO author(name) VALUES ('Herbert')")
    try branch.seal()
    #expect(try branch.sent.map(\.table) == ["book", "author"])

    try branch.database.write { db in _ = try db.execute("DROP TABLE book") }
    try SyncSchema.add(
      [SyncedTable("author")], toScope: Town.scope, account: Town.account, in: branch.database,
      environment: town.clock.environment)
    try branch.seal()
    #expect(try branch.sent.map(\.sequence) == [1])
    try branch.push()
    try branch.pull()

    #expect(try branch.replica.queue().isEmpty)
  }

  @Test func `a replica refused as a fork sends its operations again with the same identifiers`()
    throws
  {
    let town = Town()
    let north = try stocked(town)
    try north.edit("UPDATE book SET copies = copies + 1")
    try north.seal()
    let identifiers = try north.sent.map(\.operationIdentifier)
    let before = try north.replica.state()

    try north.replica.accept(.refused(.forked) as PushAnswer)

    let after = try north.replica.state()
    #expect(after.replica != before.replica)
    #expect(after.chain == OperationChain())
    try north.seal()
    #expect(try north.sent.map(\.operationIdentifier) == identifiers)
    #expect(try north.sent.map(\.sequence) == [1])
    try north.sync()
    #expect(try north.copies() == 6)
    try expectConverged(north)
  }

  @Test
  func `a replica ignores the repeated refusal of a packet that it sent under an earlier identity`()
    throws
  {
    let north = try stocked(Town())
    try north.edit("UPDATE book SET copies = copies + 1")
    try north.seal()
    let packet = try #require(try north.replica.packets(operations: 9, bytes: 999).first)
    try north.replica.accept(.refused(.forked), for: packet)
    let state = try north.replica.state()

    try north.replica.accept(.refused(.forked), for: packet)

    #expect(try north.replica.state() == state)
  }

  @Test
  func `an increment that the server has applied is not added again under a new replica identity`()
    throws
  {
    let town = Town()
    let north = try stocked(town)
    try north.edit("UPDATE book SET copies = copies + 2")
    try north.seal()
    try north.pushWithoutAnswer()
    try north.pull()

    try north.replica.accept(.refused(.forked) as PushAnswer)
    #expect(try north.copies() == 7)
    try north.edit("UPDATE book SET copies = copies + 1")
    #expect(try north.copies() == 8)

    for _ in 0..<2 { try north.sync() }
    #expect(try north.copies() == 8)
    try expectConverged(north)
  }

  @Test
  func
    `if a replica restored from a backup sends its increments again, the server counts them once`()
    throws
  {
    let town = Town()
    let north = try stocked(town)
    try north.edit("UPDATE book SET copies = copies + 2")
    try north.seal()
    let restored = try north.copy()
    try north.sync()
    try north.edit("UPDATE book SET copies = copies + 4")
    try north.sync()

    for _ in 0..<3 { try restored.sync() }

    #expect(try restored.copies() == 11)
    try expectConverged(north, restored)
  }

  @Test
  func `for a new server history, a replica resends acknowledged changes and sends unsent ones`()
    throws
  {
    let town = Town()
    let (north, south) = (try stocked(town), try town.branch())
    try south.sync()
    try north.edit("UPDATE book SET copies = copies + 2")
    try north.seal()
    try north.push()
    #expect(try north.replica.queue().acknowledged == 1)
    try north.edit("INSERT INTO book(id, title) VALUES ('b2', 'Emma')")

    _ = try town.server.restoreEpoch(of: Town.scope)
    for _ in 0..<3 { try north.sync() }
    for _ in 0..<3 { try south.sync() }

    #expect(try south.copies() == 7)
    #expect(try south.title("b2") == "Emma")
    try expectConverged(north, south)
  }

  @Test
  func `a new server history removes rows that the server lacks, but preserves unsent changes`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 1, ["title": .text("Dune")]), .book("b2", 2, [:])])
    _ = try branch.replica.execute(limit: 10)
    try branch.edit("INSERT INTO book(id, title) VALUES ('b3', 'Ubik')")

    try branch.replica.accept(.refused(.epoch("restored")) as PullAnswer)
    try branch.receive([.book("b1", 1, ["title": .text("Emma")])])
    _ = try branch.replica.execute(limit: 10)

    #expect(try branch.shown == ["b1:Emma:-:-:0:-:-", "b3:Ubik:-:-:0:-:-"])
    #expect(try branch.replica.state().epoch == "restored")
  }

  @Test
  func `an operation becomes a conflict if the server knows its identifier from another operation`()
    throws
  {
    let branch = try stocked(Town())
    try branch.edit("UPDATE book SET title = 'Emma'", "INSERT INTO book(id) VALUES ('b2')")
    try branch.seal()
    let operation = try #require(try branch.sent.first?.operationIdentifier)

    try branch.replica.accept(.refused(.operationCollision(operation)) as PushAnswer)

    #expect(try branch.conflicts == ["rejected"])
    #expect(try branch.title() == "Dune")
    try branch.sync()
    try expectConverged(branch)
  }
}
