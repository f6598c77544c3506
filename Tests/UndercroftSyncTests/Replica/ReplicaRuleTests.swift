import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of the protocol rules for replicas.
///
/// Each test is a history that fails without one of the rules.
@Suite struct ReplicaRuleTests {
  private struct Cancelled: Error {}

  @Test func `a change in a transaction that is rolled back is not sent`() throws {
    let branch = try Town().branch()

    _ = try? branch.database.write { db in
      try db.execute("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
      throw Cancelled()
    }

    #expect(try branch.seal() == 0)
  }

  @Test func `two replicas converge after inserts, updates and deletions`() throws {
    let town = Town()
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit(
      "INSERT INTO author(id, name) VALUES (7, 'Herbert')",
      "INSERT INTO book(id, title, copies, author) VALUES ('b1', 'Dune', 3, 7)",
      "INSERT INTO book(id, title) VALUES ('b2', 'Emma')")
    try north.sync()
    try south.sync()

    try south.edit(
      "UPDATE book SET note = 'torn', copies = copies + 2 WHERE id = 'b1'",
      "DELETE FROM book WHERE id = 'b2'")
    try north.edit("UPDATE book SET title = 'Dune Messiah', copies = copies - 1 WHERE id = 'b1'")
    try south.sync()
    try north.sync()
    try south.sync()

    #expect(
      try north.shown == ["Herbert:-", "b1:Dune Messiah:torn:-:4:Herbert:-"])
    try expectConverged(north, south)
  }

  @Test func `later edits do not change an operation that is sealed for sending`() throws {
    let branch = try Town().branch()
    try branch.pull()
    try branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try branch.seal()
    let before = try branch.sent

    try branch.edit("UPDATE book SET title = 'Emma'")
    try branch.seal()

    let after = try branch.sent
    #expect(Array(after.prefix(1)) == before)
    #expect(after.last?.change == .update(["title": .text("Emma")]))
  }

  @Test func `applying a pulled page of older changes does not undo an acknowledged change`() throws
  {
    let town = Town()
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try north.sync()
    try south.pull()
    try south.edit("UPDATE book SET title = 'Emma'")
    try south.seal()
    // A page from before the change is stored, and executed after the acknowledgement.
    try north.edit("UPDATE book SET note = 'torn'")
    try north.seal()
    try north.push()
    try south.download()
    try south.push()

    #expect(try south.replica.queue().acknowledged == 1)
    _ = try south.replica.execute(limit: 100)
    #expect(try south.title() == "Emma")
    #expect(try south.value("SELECT note FROM book") == "torn")

    try south.pull()
    #expect(try south.title() == "Emma")
    #expect(try south.replica.queue().isEmpty)
  }

  @Test
  func `an increment whose acknowledgement is lost is not added twice when its row is pulled`()
    throws
  {
    let town = Town()
    let branch = try town.branch()
    try branch.edit("INSERT INTO book(id, copies) VALUES ('b1', 5)")
    try branch.sync()
    try branch.edit("UPDATE book SET copies = copies + 2")
    try branch.seal()
    try branch.pushWithoutAnswer()

    try branch.pull()
    #expect(try branch.copies() == 7)
    #expect(try branch.replica.queue().sealed == 1)

    try branch.push()
    #expect(try branch.copies() == 7)
    try expectConverged(branch)
  }

  @Test func `acknowledging a change does not advance the row version that the replica has pulled`()
    throws
  {
    let town = Town()
    let branch = try town.branch()
    try branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try branch.pull()
    try branch.seal()

    try branch.push()

    #expect(try branch.version() == 0)
    try branch.pull()
    #expect(try branch.version() == 1)
  }

  @Test
  func `an operation states the version of its row, not the newest version of the whole scope`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 3, ["title": .text("Dune")])], to: 9)
    _ = try branch.replica.execute(limit: 10)

    try branch.edit("UPDATE book SET title = 'Emma'")
    try branch.seal()

    let knowledge = try #require(try branch.sent.first?.knowledge)
    #expect(knowledge == AuthorKnowledge(base: 3, seen: 3, baseCursor: 9, knownHead: 9))
  }

  @Test func `an operation lists the columns whose pulled values a local change has overridden`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 3, ["title": .text("Dune"), "note": .null])])
    _ = try branch.replica.execute(limit: 10)
    try branch.edit("UPDATE book SET title = 'Emma'")
    try branch.seal()
    // The page does not contain the sealed operation.
    let state = try branch.replica.state()
    let page = SyncPage(
      epoch: "epoch", replica: state.replica, from: 3, to: 4, head: 4, serverTime: 0,
      rows: [.book("b1", 4, ["title": .text("Ubik"), "note": .text("torn")])])
    try branch.replica.accept(.page(page))
    _ = try branch.replica.execute(limit: 10)
    #expect(try branch.title() == "Emma")
    #expect(try branch.value("SELECT note FROM book") == "torn")

    try branch.edit("UPDATE book SET title = 'Ada', note = 'repaired'")
    try branch.seal()

    let knowledge = try #require(try branch.sent.last?.knowledge)
    #expect(
      knowledge == AuthorKnowledge(base: 3, seen: 4, hidden: ["title"], baseCursor: 4, knownHead: 4)
    )
  }

  @Test func `consecutive changes of one replica to the same row cause no conflict`() throws {
    let town = Town(TablePolicy(.ask))
    let branch = try town.branch()
    try branch.pull()
    for title in ["Dune", "Emma", "Ubik"] {
      try branch.edit(
        "INSERT INTO book(id, title) VALUES ('b1', \(title)) ON CONFLICT DO UPDATE SET title = \(title)"
      )
      try branch.seal()
    }

    try branch.push()
    try branch.pull()

    #expect(try branch.title() == "Ubik")
    #expect(try branch.conflicts == [])
  }

  @Test func `if the server receives a sync packet twice, the server applies the packet once`()
    throws
  {
    let town = Town()
    let branch = try town.branch()
    try branch.edit("INSERT INTO book(id, copies) VALUES ('b1', 5)")
    try branch.sync()
    try branch.edit("UPDATE book SET copies = copies + 2")
    try branch.seal()

    try branch.pushWithoutAnswer()
    try branch.pushWithoutAnswer()
    try branch.sync()

    #expect(try branch.copies() == 7)
    try expectConverged(branch)
  }

  @Test func `a pulled page of changes that is received again after it was stored is ignored`()
    throws
  {
    let town = Town()
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try north.sync()
    try south.pull()
    try north.edit("UPDATE book SET title = 'Emma'")
    try north.sync()
    let request = try south.replica.pullRequest(limit: 10)
    let answer = try town.server.pull(request, account: Town.account)
    try south.replica.accept(answer)
    let state = try south.replica.state()

    try south.replica.accept(answer)

    #expect(try south.replica.state() == state)
    #expect(try south.replica.queue().staged == 2)
  }

  @Test
  func `the values of an operation that waits for the user's decision are stored as a conflict`()
    throws
  {
    let town = Town(TablePolicy(.ask))
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try north.sync()
    try south.pull()
    try north.edit("UPDATE book SET title = 'Emma'")
    try north.sync()

    try south.edit("UPDATE book SET title = 'Ubik', note = 'torn'")
    try south.seal()
    try south.push()

    #expect(try south.title() == "Dune")
    #expect(try south.conflicts == ["open"])
    let body: String = try south.value("SELECT body FROM sync_conflict")
    #expect(body.contains("Ubik") && body.contains("torn"))
    try south.sync()
    #expect(try south.title() == "Emma")
    #expect(try south.conflicts == ["open"])
    try expectConverged(north, south)
  }

  @Test
  func `an increment becomes a conflict if the server compacted versions that the replica lacked`()
    throws
  {
    let town = Town()
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit("INSERT INTO book(id, copies) VALUES ('b1', 5)")
    try north.sync()
    try south.sync()
    try south.edit("UPDATE book SET copies = copies + 1")
    try south.seal()
    try north.edit("UPDATE book SET title = 'Dune'")
    try north.sync()
    try town.server.compact(Town.scope, through: 2)

    try south.push()

    #expect(try south.conflicts == ["stale"])
    #expect(try south.copies() == 5)
    try south.sync()
    try north.sync()
    try expectConverged(north, south)
  }
}
