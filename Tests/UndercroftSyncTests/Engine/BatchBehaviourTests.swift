import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of batches, which are row operations that apply to all rows that meet a condition.
///
/// The rows are books of a lending library. Their column `title` contains the state, and `note` the
/// day on which the book is due.
@Suite struct BatchBehaviourTests {
  private static let returns = RowOperation.update(
    "book", where: RowCondition.isDue, ["title": .text("returned")])

  @Test(.behaviour("A-S2-04"))
  func `an update with a condition changes matching local rows before it is sent as one operation`()
    async throws
  {
    let town = Town()
    let (north, south) = try await readersWithLoans(in: town)

    let operation = try perform(Self.returns, on: north)

    #expect(try north.branch.states == ["b1 returned", "b2 returned", "b3 lent"])
    try await synchronise(north, south)
    #expect(try north.courier.sentOperations.last == operation)
    let sent = try #require(try north.courier.packets.last?.operations)
    #expect(sent.count == 1)
    #expect(sent.first?.selection?.condition == RowCondition.isDue)
    #expect(try south.branch.states == ["b1 returned", "b2 returned", "b3 lent"])
    try expectConverged(north.branch, south.branch)
    #expect(try north.engine.conflicts().isEmpty)
  }

  @Test(.behaviour("A-S2-04"))
  func `an update with a condition also changes rows that are only on the server`() async throws {
    let town = Town()
    let (north, south) = try await readersWithLoans(in: town)
    try south.branch.edit("INSERT INTO book(id, title, note) VALUES ('b4', 'lent', '2026-09-30')")
    try await south.engine.sync()

    try perform(Self.returns, on: north)
    try await synchronise(north, south)

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.states.last == "b4 returned")
    #expect(try south.engine.conflicts().isEmpty == false)
  }

  @Test(.behaviour("A-S2-04"))
  func `if a batch loses against a concurrent change of a row, the lost values become a conflict`()
    async throws
  {
    let town = Town(TablePolicy(.serverWins))
    let (north, south) = try await readersWithLoans(in: town)
    try south.branch.edit("UPDATE book SET title = 'missing' WHERE id = 'b2'")
    try await south.engine.sync()

    try perform(Self.returns, on: north)
    try await synchronise(north, south)

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.states == ["b1 returned", "b2 missing", "b3 lent"])
    let conflict = try #require(try north.openConflict)
    #expect(try north.engine.conflicts().count == 1)
    #expect(conflict.kind == .operationValuesLost)
    #expect(conflict.dataIdentifier == "b2")
    #expect(conflict.values["title"]?.value == .text("returned"))
  }

  @Test(.behaviour("A-S2-04"))
  func
    `a row that no longer meets a batch's condition stays unchanged and is listed as a conflict`()
    async throws
  {
    let town = Town()
    let (north, south) = try await readersWithLoans(in: town)
    try south.branch.edit("UPDATE book SET note = '2026-12-01' WHERE id = 'b2'")
    try await south.engine.sync()

    try perform(Self.returns, on: north)
    #expect(try north.branch.states[1] == "b2 returned")
    try await synchronise(north, south)

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.states == ["b1 returned", "b2 lent", "b3 lent"])
    #expect(try north.openConflict?.kind == .conditionNotMet)
    #expect(try north.openConflict?.values["title"]?.value == .text("returned"))
  }

  @Test(.behaviour("A-S2-04"))
  func `the conflict about one row of a batch can be resolved without the batch's other rows`()
    async throws
  {
    let town = Town(TablePolicy(.ask))
    let (north, south) = try await readersWithLoans(in: town)
    try south.branch.edit("UPDATE book SET title = 'missing' WHERE id = 'b2'")
    try await south.engine.sync()
    try perform(Self.returns, on: north)
    try await synchronise(north, south)
    #expect(try north.branch.states == ["b1 returned", "b2 missing", "b3 lent"])
    let conflict = try #require(try north.openConflict)

    try north.engine.resolve(conflict.conflictIdentifier, with: .lostValues)
    try await synchronise(north, south)

    try expectConverged(north.branch, south.branch)
    #expect(try south.branch.states[1] == "b2 returned")
    #expect(try south.engine.conflicts().isEmpty)
  }

  @Test(.behaviour("A-S2-04"))
  func `a deletion with a condition deletes all rows that meet the condition`() async throws {
    let town = Town()
    let (north, south) = try await readersWithLoans(in: town)
    try south.branch.edit("UPDATE book SET title = 'missing' WHERE id = 'b2'")
    try await south.engine.sync()

    try perform(.delete("book", where: RowCondition.isDue), on: north)
    #expect(try north.branch.books == ["b3"])
    try await synchronise(north, south)

    try expectConverged(north.branch, south.branch)
    #expect(try south.branch.books == ["b3"])
    #expect(try south.openConflict?.values["title"]?.value == .text("missing"))
  }

  @Test func `changes that an application trigger makes during a batch are synchronised`()
    async throws
  {
    let town = Town()
    let (north, south) = try await readersWithLoans(in: town)
    try north.branch.database.write { db in
      try db.execute(
        """
        CREATE TRIGGER counts AFTER UPDATE OF title ON book
        BEGIN UPDATE book SET copies = copies + 1 WHERE id = NEW.id; END
        """)
    }

    try perform(Self.returns, on: north)
    try await synchronise(north, south)

    try expectConverged(north.branch, south.branch)
    #expect(try south.branch.states == ["b1 returned", "b2 returned", "b3 lent"])
    #expect(try south.branch.copies("b1") == 1)
    #expect(try south.branch.copies("b3") == 0)
  }

  // MARK: Order

  @Test func `a batch changes rows that were written before it and not those written later`()
    async throws
  {
    let town = Town()
    let (north, south) = try await readersWithLoans(in: town)
    try north.branch.edit("INSERT INTO book(id, title, note) VALUES ('b4', 'lent', '2026-09-01')")
    try north.branch.edit("UPDATE book SET copies = 1 WHERE id = 'b3'")
    try perform(Self.returns, on: north)
    try north.branch.edit("INSERT INTO book(id, title, note) VALUES ('b5', 'lent', '2026-09-01')")
    try north.branch.edit("UPDATE book SET note = '2026-09-01' WHERE id = 'b3'")
    try north.branch.edit("UPDATE book SET title = 'lent again' WHERE id = 'b1'")
    let expected = [
      "b1 lent again", "b2 returned", "b3 lent", "b4 returned", "b5 lent",
    ]
    #expect(try north.branch.states == expected)

    try await synchronise(north, south)

    try expectConverged(north.branch, south.branch)
    #expect(try south.branch.states == expected)
    #expect(try north.engine.conflicts().isEmpty)
  }

  @Test
  func `with serverWins, a pulled value wins against an unsent change and an unsent batch`()
    async throws
  {
    let town = Town(TablePolicy(.serverWins))
    let (north, south) = try await readersWithLoans(in: town)
    try north.branch.edit("UPDATE book SET title = 'mine' WHERE id = 'b1'")
    try south.branch.edit("UPDATE book SET title = 'hidden' WHERE id = 'b1'")
    try await south.engine.sync()
    try north.branch.pull()
    #expect(try north.branch.states[0] == "b1 mine")

    try perform(Self.returns, on: north)
    try await synchronise(north, south)

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.states[0] == "b1 hidden")
    #expect(try north.engine.conflicts().count == 2)
  }

  // MARK: Faults

  @Test
  func `a batch is sent again and applied once if the server's answer does not arrive`()
    async throws
  {
    let town = Town()
    let (north, south) = try await readersWithLoans(in: town)
    try perform(Self.returns, on: north)
    north.courier.set(.losesAnswer, for: .push)
    await #expect(throws: StorageError.self) { try await north.engine.sync() }
    try south.branch.edit("INSERT INTO book(id, title, note) VALUES ('b4', 'lent', '2026-09-01')")
    try await south.engine.sync()
    north.courier.set(nil, for: .push)

    try await synchronise(north, south)

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.states.last == "b4 lent")
  }

  @Test
  func `if two copies of a database file send the same batch, the server applies the batch once`()
    async throws
  {
    let town = Town()
    let (north, south) = try await readersWithLoans(in: town)
    try perform(Self.returns, on: north)
    let copy = try north.branch.copy()
    try await north.engine.sync()
    try south.branch.edit("INSERT INTO book(id, title, note) VALUES ('b4', 'lent', '2026-09-01')")
    try await south.engine.sync()

    try copy.sync()
    try copy.sync()
    try copy.sync()
    try await synchronise(north, south)

    try expectConverged(north.branch, south.branch, copy)
    #expect(try copy.states.last == "b4 lent")
  }

  @Test func `a batch is sent again after the server was restored from a backup`() async throws {
    let town = Town()
    let (north, south) = try await readersWithLoans(in: town)
    try north.branch.edit("UPDATE book SET copies = 1 WHERE id = 'b3'")
    try perform(Self.returns, on: north)
    try north.branch.seal()
    try north.branch.push()
    try town.server.restoreEpoch(of: Town.scope)

    try await synchronise(north, south, north)

    try expectConverged(north.branch, south.branch)
    #expect(try south.branch.states == ["b1 returned", "b2 returned", "b3 lent"])
  }

  @Test
  func
    `if compaction hides whether the server applied a batch, each row of the batch gets a conflict`()
    async throws
  {
    let town = Town()
    let (north, south) = try await readersWithLoans(in: town)
    try perform(Self.returns, on: north)
    try north.branch.seal()
    try south.branch.edit("UPDATE book SET copies = 1 WHERE id = 'b3'")
    try await south.engine.sync()
    let head = try #require(try town.server.head(of: Town.scope))
    try town.server.compact(Town.scope, through: head)

    try await synchronise(north, south, north)

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.states == ["b1 lent", "b2 lent", "b3 lent"])
    #expect(try north.branch.conflicts == ["stale", "stale"])
  }

  // MARK: Helpers

  /// Advances the clock by one second, and performs a row operation on a device.
  @discardableResult
  private func perform(
    _ operation: RowOperation, on reader: Reader
  ) throws -> OperationIdentifier? {
    reader.branch.town.clock.advance()
    return try reader.engine.perform(operation)
  }
}
