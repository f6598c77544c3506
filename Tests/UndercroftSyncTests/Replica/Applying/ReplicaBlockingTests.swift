import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of pulled rows that violate a constraint of the replica's database.
@Suite struct ReplicaBlockingTests {
  private func execute(_ branch: Branch) throws {
    while try branch.replica.execute(limit: 100) > 0 {}
  }

  @Test func `a pulled row that violates UNIQUE is postponed, and later pulled rows are applied`()
    throws
  {
    let branch = try Town().branch()
    try branch.edit("INSERT INTO book(id, isbn) VALUES ('b1', '12')")

    try branch.receive([.book("b2", 1, ["isbn": .text("12")]), .book("b3", 2, [:])])
    try execute(branch)

    #expect(try branch.shown == ["b1:-:-:12:0:-:-", "b3:-:-:-:0:-:-"])
    #expect(try branch.replica.queue().blocked == 1)
    #expect(try branch.conflicts == ["blocked"])
    #expect(
      try branch.value("SELECT reason FROM sync_blocked")
        == "the row violates the constraint UNIQUE (isbn)")
    #expect(try branch.replica.state().consistentCursor == 2)
  }

  @Test
  func `a pulled row that violates UNIQUE is applied once the conflicting local value has changed`()
    throws
  {
    let branch = try Town().branch()
    try branch.edit("INSERT INTO book(id, isbn) VALUES ('b1', '12')")
    try branch.receive([.book("b2", 1, ["isbn": .text("12")])])
    try execute(branch)

    try branch.edit("UPDATE book SET isbn = '13' WHERE id = 'b1'")
    try execute(branch)

    #expect(try branch.shown == ["b1:-:-:13:0:-:-", "b2:-:-:12:0:-:-"])
    #expect(try branch.replica.queue().blocked == 0)
    #expect(try branch.replica.queue().conflicts == 0)
  }

  @Test func `a later pulled version of a postponed row replaces the postponed version`() throws {
    let branch = try Town().branch()
    try branch.edit("INSERT INTO book(id, isbn) VALUES ('b1', '12')")
    try branch.receive([.book("b2", 1, ["isbn": .text("12")])])
    try execute(branch)

    try branch.receive([.book("b2", 2, ["isbn": .text("14")])])
    try execute(branch)

    #expect(try branch.shown == ["b1:-:-:12:0:-:-", "b2:-:-:14:0:-:-"])
    #expect(try branch.replica.queue().blocked == 0)
  }

  @Test func `a pulled row can get a unique value that a later pulled row releases`() throws {
    let branch = try Town().branch()
    try branch.receive([
      .book("b1", 1, ["isbn": .text("12")]), .book("b2", 2, ["isbn": .text("13")]),
    ])
    try execute(branch)

    try branch.receive([
      .book("b1", 3, ["isbn": .text("13")]), .book("b2", 4, ["isbn": .text("14")]),
    ])
    try execute(branch)

    #expect(try branch.shown == ["b1:-:-:13:0:-:-", "b2:-:-:14:0:-:-"])
    #expect(try branch.conflicts == [])
  }

  @Test
  func `if a constraint or user trigger rejects a pulled row, only this row is postponed`()
    throws
  {
    let branch = try Town().branch()
    try branch.edit(
      """
      CREATE TRIGGER no_emma BEFORE INSERT ON book WHEN NEW.title = 'Emma'
      BEGIN SELECT RAISE(ABORT, 'not here'); END
      """,
      """
      CREATE TRIGGER ignored BEFORE INSERT ON book WHEN NEW.title = 'Ubik'
      BEGIN SELECT RAISE(IGNORE); END
      """)

    try branch.receive([
      .book("b1", 1, ["copies": .integer(-200)]), .book("b2", 2, ["title": .text("Emma")]),
      .book("b3", 3, ["title": .text("Ubik")]), .book("b4", 4, ["copies": .null]),
      .book("b5", 5, ["title": .text("Dune")]),
    ])
    try execute(branch)

    #expect(try branch.shown == ["b5:Dune:-:-:0:-:-"])
    #expect(try branch.replica.queue().blocked == 4)
  }

  @Test func `a pulled deletion waits while a row of a local table refers to the deleted row`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 1, [:]), .book("b2", 2, [:])])
    try execute(branch)
    try branch.edit(
      "CREATE TABLE shelf(book TEXT NOT NULL REFERENCES book(id))",
      "INSERT INTO shelf VALUES ('b1')")

    try branch.receive([.book("b1", 3, nil), .book("b2", 4, nil)])
    try execute(branch)
    #expect(try branch.books == ["b1"])
    #expect(try branch.replica.queue().blocked == 1)

    try branch.edit("DELETE FROM shelf")
    try execute(branch)
    #expect(try branch.shown == [])
    try expectConverged(branch)
  }

  @Test func `a pulled row deletes no other row through ON CONFLICT REPLACE`() throws {
    let branch = try Town().branch(
      """
      CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE book(
        id TEXT PRIMARY KEY, isbn TEXT UNIQUE ON CONFLICT REPLACE, copies INTEGER, draft TEXT);
      """)
    try branch.receive([.book("b1", 1, ["isbn": .text("12")])])
    try execute(branch)

    try branch.receive([.book("b2", 2, ["isbn": .text("12")])])
    try execute(branch)

    #expect(try branch.books == ["b1"])
    #expect(try branch.replica.queue().blocked == 1)
  }

  @Test
  func `an operation rejected by the server leaves the queue even if its row cannot be restored`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 1, ["isbn": .text("12")])])
    try execute(branch)
    try branch.edit(
      "UPDATE book SET isbn = '13'", "INSERT INTO book(id, isbn) VALUES ('b2', '12')")
    try branch.seal()
    let operation = try #require(try branch.sent.first)

    try branch.replica.accept(
      .results(
        PushResults(
          epoch: "epoch", replica: try branch.replica.state().replica, lastSequence: 1,
          lastChain: nil,
          results: [
            OperationResult(
              operationIdentifier: operation.operationIdentifier, sequence: 1, status: .rejected)
          ], head: 1, serverTime: 0)))

    #expect(try branch.sent.map(\.dataIdentifier) == ["b2"])
    #expect(try branch.replica.queue().blocked == 1)
    try branch.edit("UPDATE book SET isbn = '15' WHERE id = 'b2'")
    try execute(branch)
    #expect(try branch.shown == ["b1:-:-:12:0:-:-", "b2:-:-:15:0:-:-"])
  }
}
