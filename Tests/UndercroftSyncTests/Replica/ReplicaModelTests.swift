import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of histories in which the protocol model found errors of earlier protocol rules.
@Suite struct ReplicaModelTests {
  @Test func `an operation is sent with the identifier that was assigned when its row was changed`()
    throws
  {
    let branch = try Town().branch()
    try branch.pull()
    try branch.edit("INSERT INTO book(id) VALUES ('b1')")
    let captured: String = try branch.value("SELECT identifier FROM DirtyList")

    try branch.seal()

    #expect(try branch.sent.map(\.operationIdentifier.text) == [captured])
  }

  @Test
  func
    `a merged operation lists the identifier and increments of each operation that it replaces`()
    throws
  {
    let branch = try Town().branch()
    try branch.edit("INSERT INTO book(id, copies) VALUES ('b1', 5)")
    try branch.sync()
    var identifiers: [String] = []
    for _ in 0..<2 {
      try branch.edit("UPDATE book SET copies = copies + 3")
      identifiers.append(try branch.value("SELECT identifier FROM DirtyList"))
    }
    try branch.edit("UPDATE book SET copies = copies + 4611686018427387904")

    try branch.seal()

    let operation = try #require(try branch.sent.first)
    #expect(operation.change == .update(increments: ["copies": 4_611_686_018_427_387_910]))
    #expect(
      operation.absorbed == [
        AbsorbedOperation(OperationIdentifier(identifiers[0]), increments: ["copies": 3]),
        AbsorbedOperation(OperationIdentifier(identifiers[1]), increments: ["copies": 6]),
      ])
  }

  @Test
  func `an acknowledged operation leaves the queue even if the server has purged the deleted row`()
    throws
  {
    let town = Town()
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try north.sync()
    try south.sync()
    try south.edit("UPDATE book SET title = 'Emma'")
    try south.seal()
    try south.push()
    try north.pull()
    try north.edit("DELETE FROM book")
    try north.sync()
    try town.server.compact(Town.scope, through: 3)

    for _ in 0..<3 { try south.sync() }

    #expect(try south.title() == nil)
    try expectConverged(north, south)
  }

  @Test func `a snapshot download restarts if the server compacts the scope during the download`()
    throws
  {
    let town = Town()
    let (north, south) = (try town.branch(), try town.branch())
    for book in ["b1", "b2", "b3", "b4"] {
      try north.edit("INSERT INTO book(id) VALUES (\(book))")
      try north.sync()
    }
    try town.server.compact(Town.scope, through: 4)
    try south.pullPage(limit: 1)
    try south.pullPage(limit: 1)
    try south.pullPage(limit: 2)
    _ = try south.replica.execute(limit: 9)
    #expect(try south.replica.state().snapshotFloor == 4)
    try north.edit("DELETE FROM book WHERE id = 'b1'")
    try north.sync()
    try town.server.compact(Town.scope, through: 5)

    for _ in 0..<2 { try south.sync() }

    #expect(try south.books == ["b2", "b3", "b4"])
    try expectConverged(north, south)
  }

  @Test func `a snapshot removes local rows that the snapshot and the pages pulled after it lack`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 1, [:]), .book("b2", 2, [:])])
    _ = try branch.replica.execute(limit: 9)
    try branch.replica.accept(.refused(.reset(.floor, "epoch")) as PullAnswer)

    try branch.receive([.book("b2", 2, [:]), .book("b3", 3, [:])])
    try branch.receive([.book("b4", 4, [:])])
    #expect(try branch.replica.state().mode == .incremental)
    while try branch.replica.execute(limit: 1) > 0 {}

    #expect(try branch.books == ["b2", "b3", "b4"])
  }

  @Test func `deleting a row and inserting a row with the same key sends two operations`() throws {
    let town = Town()
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit("INSERT INTO book(id, title, copies) VALUES ('b1', 'Dune', 5)")
    try north.sync()
    try south.sync()

    try north.edit(
      "DELETE FROM book", "INSERT INTO book(id, title, copies) VALUES ('b1', 'Emma', 3)")
    try north.seal()

    let changes = try north.sent.map(\.change)
    #expect(changes.map(\.kind) == [.delete, .insert])
    #expect(changes.last?.absolutes == ["copies": 3])
    try north.sync()
    try south.sync()
    #expect(try south.copies() == 3)
    try expectConverged(north, south)
  }

  @Test func `a row that is inserted and deleted before it is sent is not sent`() throws {
    let branch = try Town().branch()
    try branch.edit("INSERT INTO book(id) VALUES ('b1')", "DELETE FROM book")

    #expect(try branch.seal() == 0)
    try expectConverged(branch)
  }

  @Test func `a change that is undone before it is sent is not sent`() throws {
    let branch = try Town().branch()
    try branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try branch.sync()

    try branch.edit("UPDATE book SET title = 'Emma'", "UPDATE book SET title = 'Dune'")

    #expect(try branch.seal() == 0)
    try expectConverged(branch)
  }

  @Test func `a local edit is applied on top of a newer pulled version of its row`() throws {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 1, ["title": .text("Dune"), "copies": .integer(5)])])
    _ = try branch.replica.execute(limit: 9)
    try branch.edit("UPDATE book SET title = 'Emma', copies = copies + 1")

    try branch.receive([
      .book("b1", 2, ["title": .text("Ubik"), "note": .text("torn"), "copies": .integer(8)])
    ])
    _ = try branch.replica.execute(limit: 9)

    #expect(try branch.shown == ["b1:Emma:torn:-:9:-:-"])
    try branch.seal()
    #expect(
      try branch.sent.map(\.change)
        == [.update(["title": .text("Emma")], increments: ["copies": 1])])
  }

  @Test func `a locally deleted row remains deleted if a changed version of the row is pulled`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 1, ["title": .text("Dune")])])
    _ = try branch.replica.execute(limit: 9)
    try branch.edit("DELETE FROM book")

    try branch.receive([.book("b1", 2, ["title": .text("Ubik")])])
    _ = try branch.replica.execute(limit: 9)

    #expect(try branch.shown == [])
    try branch.seal()
    #expect(try branch.sent.first?.knowledge.base == 1)
  }
}
