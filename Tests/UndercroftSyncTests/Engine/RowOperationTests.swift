import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of row operations that an application performs with an engine.
@Suite struct RowOperationTests {
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

  @Test func `performing an invalid row operation throws misuse and changes nothing`() async throws
  {
    let town = Town()
    let (north, _) = try await readersWithLoans(in: town)
    var deep = RowCondition.isDue
    for _ in 0..<8 { deep = .not(deep) }
    let operations: [RowOperation] = [
      .update("book", where: RowCondition.isDue, ["copies": .integer(1)]),
      .update("book", where: RowCondition.isDue, ["pages": .integer(1)]),
      .update("book", where: .column("draft", .equal, .null), ["title": .null]),
      .update("loan", where: RowCondition.isDue, ["title": .null]), .delete("book", where: deep),
      .create("book", "b1", [:]), .update("book", "b9", ["title": .null]),
      .update("author", "7", ["name": .text("Austen")]),
      .delete("book", where: .column("author", .equal, .integer(7))),
      .update("book", where: RowCondition.isDue, ["author": .integer(7)]),
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
}
