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
  private static let isDue = RowCondition.column("note", .less, .text("2026-10-01"))
  private static let returns = RowOperation.update(
    "book", where: isDue, ["title": .text("returned")])

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
    #expect(sent.first?.selection?.condition == Self.isDue)
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

    try perform(.delete("book", where: Self.isDue), on: north)
    #expect(try north.branch.books == ["b3"])
    try await synchronise(north, south)

    try expectConverged(north.branch, south.branch)
    #expect(try south.branch.books == ["b3"])
    #expect(try south.openConflict?.values["title"]?.value == .text("missing"))
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

  // MARK: Rows of the application

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

  @Test func `a row condition can select rows by the identifier of the row to which they refer`()
    async throws
  {
    let town = Town()
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try north.branch.edit(
      "INSERT INTO author(id, name) VALUES (7, 'Austen')",
      "INSERT INTO author(id, name, mentor) VALUES (8, 'Eliot', 7), (9, 'Homer', NULL)")
    try await synchronise(north, south)
    let austen: String = try south.branch.value(
      """
      SELECT identifier FROM sync_record
      WHERE primary_key = (SELECT id FROM author WHERE name = 'Austen')
      """)

    try south.engine.perform(
      .update(
        "author", where: .column("mentor", .equal, .text(austen)), ["name": .text("George Eliot")]))
    try await synchronise(south, north)

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.value("SELECT name FROM author WHERE id = 8") == "George Eliot")
  }

  @Test
  func `a row operation with a condition accepts integer keys of the rows to which rows refer`()
    async throws
  {
    let town = Town()
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try south.branch.edit("INSERT INTO author(id, name) VALUES (7, 'Homer')")
    try north.branch.edit(
      "INSERT INTO author(id, name) VALUES (7, 'Austen'), (8, 'Eliot')",
      "INSERT INTO book(id, title, author) VALUES ('b1', 'Emma', 8), ('b2', 'Iliad', NULL)")
    try await synchronise(north, south)

    try north.engine.perform(
      .update(
        "book", where: .all([.not(.column("author", .notEqual, .integer(8)))]),
        ["author": .integer(7)]))
    try await synchronise(north, south)

    #expect(try north.branch.value("SELECT author FROM book WHERE id = 'b1'") == 7)
    try expectConverged(north.branch, south.branch)
    #expect(try south.branch.shown.contains("b1:Emma:-:-:0:Austen:-"))
    #expect(try south.engine.conflicts().isEmpty)
  }

  @Test func `a row operation with a condition accepts UUID keys of the rows to which rows refer`()
    async throws
  {
    let (library, shelf) = (try Database.inMemory(), UUID())
    try library.execute("CREATE TABLE shelf(id BLOB PRIMARY KEY NOT NULL)")
    try library.execute(
      "CREATE TABLE book(id TEXT PRIMARY KEY NOT NULL, shelf BLOB REFERENCES shelf(id), n TEXT)")
    let engine = try SyncEngine(
      library, scope: Town.scope, account: Town.account,
      tables: [SyncedTable("shelf"), SyncedTable("book")],
      peer: Town().server.peer(account: Town.account))
    try library.execute("INSERT INTO shelf VALUES (\(shelf))")
    try library.execute("INSERT INTO book VALUES ('b1', \(shelf), 'x'), ('b2', NULL, 'x')")
    let key = SyncValue.blob(withUnsafeBytes(of: shelf.uuid) { Data($0) })

    try engine.perform(.update("book", where: .column("shelf", .equal, key), ["n": .text("y")]))

    let changed: [String] = try library.fetchAll("SELECT id FROM book WHERE n = 'y'") { row in
      try row[0]
    }
    #expect(changed == ["b1"])
  }

  @Test func `each call of perform that changes a row is sent as a separate operation`()
    async throws
  {
    let town = Town()
    let (north, south) = (try Reader(in: town), try Reader(in: town))

    try north.engine.perform(.create("book", "b1", ["title": .text("Dune")]))
    try north.engine.perform(.update("book", "b1", ["title": .text("Emma")]))
    #expect(try north.engine.perform(.update("book", "b1", ["title": .text("Emma")])) == nil)
    try north.engine.perform(.create("author", "a1", ["name": .text("Austen")]))
    try north.engine.perform(.update("book", "b1", ["author": .text("a1")]))
    try north.engine.perform(.create("book", "b2", ["copies": .integer(2)]))
    try north.engine.perform(.delete("book", "b2"))
    #expect(try north.engine.perform(.delete("book", "b2")) == nil)
    try await synchronise(north, south)

    try expectConverged(north.branch, south.branch)
    let shown = try south.branch.shown
    #expect(shown == ["Austen:-", "b1:Emma:-:-:0:Austen:-"])
    #expect(try north.courier.sentOperations.count == 6)
  }

  @Test func `a row operation whose transaction a trigger rolls back throws constraintViolated`()
    async throws
  {
    let town = Town()
    let north = try Reader(in: town)
    try north.branch.edit(
      """
      CREATE TRIGGER forbidden BEFORE UPDATE OF title ON book WHEN NEW.title = 'Emma'
      BEGIN SELECT RAISE(ROLLBACK, 'not in this library'); END
      """)
    try north.engine.perform(.create("book", "b1", ["title": .text("Dune")]))

    let error = #expect(throws: StorageError.self) {
      try north.engine.perform(.update("book", "b1", ["title": .text("Emma")]))
    }
    #expect(error?.code == .constraintViolated)
    #expect(error?.message.contains("not in this library") == true)
    #expect(try north.branch.value("SELECT title FROM book") == "Dune")
  }

  // MARK: Misuse

  @Test func `performing an invalid row operation throws misuse and changes nothing`() async throws
  {
    let town = Town()
    let (north, _) = try await readersWithLoans(in: town)
    var deep = Self.isDue
    for _ in 0..<8 { deep = .not(deep) }
    let operations: [RowOperation] = [
      .update("book", where: Self.isDue, ["copies": .integer(1)]),
      .update("book", where: Self.isDue, ["pages": .integer(1)]),
      .update("book", where: .column("draft", .equal, .null), ["title": .null]),
      .update("loan", where: Self.isDue, ["title": .null]), .delete("book", where: deep),
      .create("book", "b1", [:]), .update("book", "b9", ["title": .null]),
      .update("author", "7", ["name": .text("Austen")]),
      .delete("book", where: .column("author", .equal, .integer(7))),
      .update("book", where: Self.isDue, ["author": .integer(7)]),
      .delete("book", where: .column("author", .less, .integer(7))),
    ]

    for operation in operations {
      let error = #expect(throws: StorageError.self) { try north.engine.perform(operation) }
      #expect(error?.code == .misuse)
      #expect(error?.suggestion != nil)
    }

    #expect(try north.dirty.isEmpty)
    #expect(try north.branch.states == ["b1 lent", "b2 lent", "b3 lent"])
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

  private func synchronise(_ readers: Reader...) async throws {
    for reader in readers { try await reader.engine.sync() }
  }

  /// Returns two devices that have synchronised three books.
  ///
  /// The first two books meet the condition `isDue`.
  private func readersWithLoans(in town: Town) async throws -> (Reader, Reader) {
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try north.branch.edit(
      """
      INSERT INTO book(id, title, note) VALUES ('b1', 'lent', '2026-09-01'),
        ('b2', 'lent', '2026-09-15'), ('b3', 'lent', '2026-11-01')
      """)
    try await synchronise(north, south)
    return (north, south)
  }
}

extension Branch {
  /// The identifier and the title of each book, in the order of the identifiers.
  fileprivate var states: [String] {
    get throws {
      try database.fetchAll("SELECT id || ' ' || coalesce(title, '-') FROM book ORDER BY id") {
        row in try row[0]
      }
    }
  }
}
