import BehaviourTrait
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct TwoWayBehaviourTests {
  @Test(.behaviour("A-S2-01"))
  func `pulled changes that were not yet applied are applied by the next synchronisation`()
    async throws
  {
    let town = Town()
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try await south.engine.sync()
    try north.branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try await north.engine.sync()

    try south.branch.pullPage()

    #expect(try south.branch.value("SELECT count(*) FROM sync_to_execute") == 2)
    #expect(try south.branch.books.isEmpty)
    #expect(try south.branch.replica.pullRequest(limit: 1).cursor == 1)
    let outcome = try await south.engine.sync()
    #expect(outcome.pulled == 0)
    #expect(try south.branch.value("SELECT count(*) FROM sync_to_execute") == 0)
    #expect(try south.branch.title() == "Dune")
  }

  @Test(.behaviour("A-S2-02"))
  func `all pulled changes are applied before local changes are pushed`() async throws {
    let town = Town()
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try await south.engine.sync()
    try north.branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try await north.engine.sync()
    try south.branch.pullPage()
    try south.branch.edit("INSERT INTO book(id) VALUES ('b2')")
    let branch = south.branch
    let staged = EventCollector<Bool>()
    south.courier.set(
      .isSlow { staged.append(try branch.replica.hasStagedEntries()) }, for: .push)

    try await south.engine.sync()

    #expect(staged.drain() == [false])
    #expect(try south.branch.books == ["b1", "b2"])
  }

  @Test(.behaviour("A-S2-03"))
  func `if two devices change the same field, the later change wins on both devices`() async throws
  {
    let town = Town()
    let (north, south) = try await branchesWithBook(in: town)
    try north.branch.edit("UPDATE book SET title = 'earlier'")
    try south.branch.edit("UPDATE book SET title = 'later'")

    for reader in [south, north, south] { try await reader.engine.sync() }

    #expect(try north.branch.title() == "later")
    #expect(try south.branch.title() == "later")
  }

  @Test(.behaviour("A-S2-03"))
  func `if a table's conflict policy is ask, a rejected change is listed as an open conflict`()
    async throws
  {
    let town = Town(TablePolicy(.ask))
    let (north, south) = try await branchesWithBook(in: town)
    try north.branch.edit("UPDATE book SET title = 'north'")
    try south.branch.edit("UPDATE book SET title = 'south'")

    for reader in [north, south, north, south] { try await reader.engine.sync() }

    #expect(try south.branch.title() == "north")
    guard case .lost(let conflict)? = try south.engine.conflicts().first else {
      Issue.record("there is no conflict")
      return
    }
    #expect(conflict.kind == .open)
    #expect(conflict.values["title"]?.value == .text("south"))
    #expect(south.engine.currentStatus.conflicts == 1)
  }

  @Test(.behaviour("A-S2-05"))
  func `a deletion wins against an update, and the updated values are stored as a conflict`()
    async throws
  {
    let town = Town()
    let (north, south) = try await branchesWithBook(in: town)
    try north.branch.edit("DELETE FROM book")
    try south.branch.edit("UPDATE book SET title = 'south'")

    for reader in [north, south, north] { try await reader.engine.sync() }

    #expect(try north.branch.books.isEmpty)
    #expect(try south.branch.books.isEmpty)
    guard case .lost(let conflict)? = try south.engine.conflicts().first else {
      Issue.record("there is no conflict")
      return
    }
    #expect(conflict.kind == .changeOfDeletedRow)
    #expect(conflict.values["title"]?.value == .text("south"))
  }

  @Test(.behaviour("A-S2-06"))
  func `pulled rows are applied after the rows to which they refer`() async throws {
    let town = Town()
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try north.branch.edit(
      "INSERT INTO author(id, name) VALUES (7, 'Austen')",
      "INSERT INTO author(id, name, mentor) VALUES (8, 'Eliot', 7)",
      "INSERT INTO book(id, title, author) VALUES ('b1', 'Emma', 8)")
    try south.branch.edit("INSERT INTO author(id, name) VALUES (7, 'Homer')")

    for reader in [north, south, north] { try await reader.engine.sync() }

    try expectConverged(north.branch, south.branch)
    #expect(
      try south.branch.value("SELECT a.name FROM book b JOIN author a ON a.id = b.author")
        == "Eliot")
  }

  @Test(.behaviour("A-S2-08"))
  func `if a newer change reached the server first, an older change loses and becomes a conflict`()
    async throws
  {
    let town = Town()
    let (north, south) = try await branchesWithBook(in: town)
    try south.branch.edit("UPDATE book SET title = 'earlier'")
    try north.branch.edit("UPDATE book SET title = 'later'")
    try await north.engine.sync()
    #expect(try north.engine.conflicts().isEmpty)

    for reader in [south, north, south] { try await reader.engine.sync() }

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.title() == "later")
    guard case .lost(let conflict)? = try south.engine.conflicts().first else {
      Issue.record("there is no conflict")
      return
    }
    #expect(conflict.kind == .operationValuesLost)
    #expect(conflict.values["title"]?.value == .text("earlier"))
  }

  @Test(.behaviour("A-S2-09"), arguments: [-1, 1] as [Int64])
  func `devices whose clocks are wrong by a year converge`(sign: Int64) async throws {
    let town = Town()
    let (north, south) = try await branchesWithBook(in: town)
    let year: Int64 = 365 * 24 * 3_600_000
    for (reader, skew) in [(north, sign * year), (south, -sign * year)] {
      try reader.branch.database.write { db in
        try db.execute("UPDATE sync_clock SET wall_ms = \(town.clock.now + skew)")
        try db.execute("UPDATE book SET title = \(skew < 0 ? "slow" : "fast")")
        try db.execute("UPDATE book SET note = \(skew < 0 ? "slow" : "fast")")
        try db.execute("UPDATE sync_clock SET wall_ms = NULL")
      }
    }

    for reader in [north, south, north, south] { try await reader.engine.sync() }

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.title() == "fast")
  }

  @Test(.behaviour("A-S2-10"))
  func `a device that pulls its own operations from the server does not apply them a second time`()
    async throws
  {
    let town = Town()
    let (north, south) = try await branchesWithBook(in: town)
    try north.branch.edit("UPDATE book SET copies = copies + 5")

    let outcome = try await north.engine.sync()
    try await north.engine.sync()
    try await south.engine.sync()

    #expect(outcome.pulled == 1)
    #expect(try north.branch.copies() == 5)
    #expect(try south.branch.copies() == 5)
    #expect(try north.dirty.isEmpty)
    #expect(try north.courier.sentOperations.count == 2)
  }

  private func branchesWithBook(in town: Town) async throws -> (Reader, Reader) {
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try north.branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    for reader in [north, south] { try await reader.engine.sync() }
    return (north, south)
  }
}
