import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Changes of branches that join a scope after the server has forgotten old changes.
@Suite struct ReplicaCompactedScopeTests {
  private let town = Town()
  private let north: Branch

  init() throws {
    north = try town.branch()
    try north.edit("INSERT INTO book(id) VALUES ('b1'), ('b2')")
    try north.sync()
    try north.edit("DELETE FROM book WHERE id = 'b1'")
    try north.sync()
    try compact()
  }

  /// Lets the server forget everything but rows.
  private func compact() throws {
    try town.server.compact(Town.scope, through: #require(try town.server.head(of: Town.scope)))
  }

  @Test
  func `a server that has compacted a scope accepts the rows of a device that joins the scope`()
    throws
  {
    let south = try town.branch()
    try south.edit(
      "INSERT INTO author(id, name) VALUES (1, 'Herbert')",
      "INSERT INTO book(id, title, author, copies) VALUES ('b3', 'Dune', 1, 5)")

    for branch in [south, north] { try branch.sync() }

    #expect(try north.shown.contains("b3:Dune:-:-:5:Herbert:-"))
    #expect(try south.conflicts == [])
    try expectConverged(north, south)
  }

  @Test
  func `after a compaction, changes of a replica that has pulled no rows are not refused as stale`()
    throws
  {
    let south = try town.branch()
    try south.pullPage()
    #expect(try south.replica.state().epoch != nil)
    try south.edit("INSERT INTO book(id) VALUES ('b3')")

    for branch in [south, north] { try branch.sync() }

    #expect(try north.books == ["b2", "b3"])
    #expect(try south.conflicts == [])
  }

  @Test
  func
    `after a compaction, the server accepts rows that existed before their table was synchronised`()
    async throws
  {
    let database = try Database.inMemory()
    try database.write { db in try db.executeScript(Branch.catalogue) }
    try database.execute("INSERT INTO book(id, copies) VALUES ('b3', 5)")
    try SyncSchema.add(
      Branch.tables, toScope: Town.scope, account: Town.account, in: database,
      environment: town.clock.environment)
    let south = town.branch(database)

    for branch in [south, north] { try branch.sync() }

    #expect(try north.books == ["b2", "b3"])
    #expect(try south.conflicts == [])
  }

  @Test
  func `after a compaction, an insertion sent by a database copy does not revive a deleted row`()
    throws
  {
    let south = try town.branch()
    try south.edit("INSERT INTO book(id, title) VALUES ('b3', 'Dune')")
    let copy = try south.copy()
    try south.sync()
    try south.edit("DELETE FROM book WHERE id = 'b3'")
    try south.sync()
    try compact()

    for branch in [copy, north, south] { try branch.sync() }

    #expect(try north.books == ["b2"])
    #expect(try copy.books == ["b2"])
    #expect(try copy.conflicts == ["update_deleted"])
  }

  @Test
  func `after a compaction, a database copy that edits a deleted row does not revive the row`()
    throws
  {
    let south = try town.branch()
    try south.edit("INSERT INTO book(id, title, copies) VALUES ('b3', 'Dune', 1)")
    let copy = try south.copy()
    try south.sync()
    try south.edit("DELETE FROM book WHERE id = 'b3'")
    try south.sync()
    try compact()
    try copy.edit("UPDATE book SET title = 'Emma', copies = 2 WHERE id = 'b3'")

    for branch in [copy, north] { try branch.sync() }

    #expect(try north.books == ["b2"])
    #expect(try copy.conflicts == ["update_deleted"])
  }

  @Test
  func `an insertion that lost against a deletion does not revive the row after a compaction`()
    throws
  {
    let south = try town.branch()
    try south.edit("INSERT INTO book(id, title) VALUES ('b2', 'Dune')")
    let copy = try south.copy()
    try north.edit("DELETE FROM book")
    try north.sync()
    try south.sync()
    #expect(try south.conflicts == ["update_deleted"])
    try compact()

    for branch in [copy, north] { try branch.sync() }

    #expect(try north.books == [])
    #expect(try copy.conflicts == ["update_deleted"])
  }

  @Test func `an insertion repeated after a compaction does not add its counter values twice`()
    throws
  {
    let south = try town.branch()
    try south.edit("INSERT INTO book(id, copies) VALUES ('b3', 5)")
    let copy = try south.copy()
    try south.sync()
    try compact()

    for branch in [copy, north] { try branch.sync() }

    #expect(try north.copies("b3") == 5)
    #expect(try copy.copies("b3") == 5)
    #expect(try copy.conflicts == ["stale"])
  }

  @Test func `a change is not refused as stale if its replica had pulled the compacted versions`()
    throws
  {
    let south = try town.branch()
    try south.download()
    try south.edit("INSERT INTO book(id, copies) VALUES ('b3', 5)")

    for branch in [south, north] { try branch.sync() }

    #expect(try south.conflicts == [])
    #expect(try north.copies("b3") == 5)
  }

  @Test
  func `an insertion is refused as stale if the server compacted versions that the replica lacked`()
    throws
  {
    let south = try town.branch()
    try south.sync()
    try south.edit("INSERT INTO book(id) VALUES ('b3')")
    try north.edit("UPDATE book SET title = 'Emma'")
    try north.sync()
    try compact()

    try south.sync()

    #expect(try south.conflicts == ["stale"])
  }

  @Test func `a replica that only sends can send further changes after a compaction`() async throws
  {
    let south = try Reader(in: town, direction: .oneWay)
    try south.branch.edit("INSERT INTO book(id, copies) VALUES ('b3', 1)")
    try await south.engine.sync()
    try compact()

    try south.branch.edit(
      "INSERT INTO book(id) VALUES ('b4')", "UPDATE book SET copies = copies + 1 WHERE id = 'b3'")
    try await south.engine.sync()
    try north.sync()

    #expect(try north.books == ["b2", "b3", "b4"])
    #expect(try north.copies("b3") == 2)
    #expect(try south.branch.conflicts == [])
  }

  // A replica that only sends would never receive the row again.
  @Test
  func `a replica that only sends retains a row whose insertion the server refuses as too old`()
    async throws
  {
    let south = try Reader(in: town, direction: .oneWay)
    try south.branch.edit("INSERT INTO book(id) VALUES ('b0')")
    try await south.engine.sync()
    try south.branch.edit("INSERT INTO book(id, title, copies) VALUES ('b3', 'Dune', 2)")
    try south.branch.seal()
    let backup = try Reader(try south.branch.copy(), direction: .oneWay)
    try south.branch.edit("INSERT INTO book(id) VALUES ('b4')")
    try await south.engine.sync()
    try compact()

    try backup.branch.edit("UPDATE book SET note = 'torn' WHERE id = 'b3'")
    try await backup.engine.sync()

    #expect(try backup.branch.conflicts == ["stale"])
    #expect(try backup.branch.title("b3") == "Dune")
    #expect(try backup.branch.value("SELECT note FROM book WHERE id = 'b3'") == "torn")
    #expect(try backup.dirty.isEmpty)
  }

  @Test func `a replica that only sends can send a batch deletion after a compaction`() async throws
  {
    let south = try Reader(in: town, direction: .oneWay)
    try south.branch.edit("INSERT INTO book(id, title) VALUES ('b3', 'Dune')")
    try await south.engine.sync()
    try compact()

    try south.engine.perform(.delete("book", where: .column("title", .equal, .text("Dune"))))
    try await south.engine.sync()
    try north.sync()

    #expect(try north.books == ["b2"])
    #expect(try south.branch.conflicts == [])
  }

  @Test
  func `reinserting a row is refused as stale if another replica's deletion of it was compacted`()
    async throws
  {
    let south = try Reader(in: town, direction: .oneWay)
    for book in ["b3", "b4"] {
      try south.branch.edit("INSERT INTO book(id, title) VALUES (\(book), 'Dune')")
      try await south.engine.sync()
    }
    try north.sync()
    try north.edit("DELETE FROM book WHERE id = 'b4'")
    try north.sync()
    try compact()
    try south.branch.edit("UPDATE book SET title = 'Ubik' WHERE id = 'b3'")
    try await south.engine.sync()

    try south.branch.edit(
      "DELETE FROM book WHERE id = 'b4'", "INSERT INTO book(id, title) VALUES ('b4', 'Emma')")
    try await south.engine.sync()
    try north.sync()

    #expect(try north.books == ["b2", "b3"])
    #expect(try south.branch.conflicts == ["stale"])
  }

  @Test
  func
    `after the server removed a replica, a backup of the replica does not revive a deleted row`()
    throws
  {
    let south = try town.branch()
    try south.edit("INSERT INTO book(id, title) VALUES ('b3', 'Dune')")
    let backup = try south.copy()
    try south.sync()
    try south.edit("DELETE FROM book WHERE id = 'b3'")
    try south.sync()
    town.clock.advance()
    try town.server.compact(Town.scope, retention: SyncRetention(minimum: 0, maximum: 0))

    for branch in [backup, north] { try branch.sync() }

    #expect(try backup.replica.state().replica == south.replica.state().replica)
    #expect(try north.books == ["b2"])
    #expect(try backup.conflicts == ["update_deleted"])
  }

  @Test func `an insertion not yet sent when a new server history begins is refused as stale`()
    throws
  {
    let south = try town.branch()
    try south.sync()
    try south.edit("INSERT INTO book(id) VALUES ('b3')")
    try town.server.restoreEpoch(of: Town.scope)

    try south.sync()

    #expect(try south.conflicts == ["stale"])
  }
}
