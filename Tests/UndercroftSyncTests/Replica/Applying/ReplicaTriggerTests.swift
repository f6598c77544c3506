import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of application triggers that run while a replica applies pulled rows.
@Suite struct ReplicaTriggerTests {
  private static let bump: SQL = """
    CREATE TRIGGER bump AFTER UPDATE ON book BEGIN
      UPDATE book SET note = coalesce(note, '') || '+' WHERE id = NEW.id;
    END
    """

  /// Returns two branches with the same triggers, which have synchronised one book.
  private func branches(_ triggers: SQL...) throws -> (Branch, Branch) {
    let town = Town()
    let branches = (try town.branch(), try town.branch())
    for branch in [branches.0, branches.1] {
      for trigger in triggers { try branch.edit(trigger) }
    }
    try branches.0.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try branches.0.sync()
    try branches.1.sync()
    return branches
  }

  @Test
  func `a trigger that changes the updated row does not change the row again on another device`()
    throws
  {
    let (north, south) = try branches(Self.bump)
    try north.edit("UPDATE book SET title = 'Emma'")

    for branch in [north, south, north] { try branch.sync() }

    #expect(try north.shown == ["b1:Emma:+:-:0:-:-"])
    try expectConverged(north, south)
  }

  @Test
  func `a trigger that changes the inserted row does not change the row again on another device`()
    throws
  {
    let (north, south) = try branches(
      """
      CREATE TRIGGER number AFTER INSERT ON book BEGIN
        UPDATE book SET note = coalesce(note, '') || '#' WHERE id = NEW.id;
      END
      """)
    try south.edit("INSERT INTO book(id, title) VALUES ('b0', 'Ubik')")

    for branch in [south, north, south] { try branch.sync() }

    #expect(try north.shown == ["b0:Ubik:#:-:0:-:-", "b1:Dune:#:-:0:-:-"])
    try expectConverged(north, south)
  }

  @Test func `a trigger of one device does not change the synchronised columns of a pulled row`()
    throws
  {
    let (north, south) = try branches()
    try south.edit(Self.bump)
    try north.edit("UPDATE book SET title = 'Emma'")

    for branch in [north, south, north] { try branch.sync() }

    #expect(try south.shown == ["b1:Emma:-:-:0:-:-"])
    try expectConverged(north, south)
  }

  @Test
  func `two devices whose triggers change each updated row do not exchange changes endlessly`()
    throws
  {
    let (north, south) = try branches(Self.bump)
    try north.edit("UPDATE book SET title = 'north'")
    try south.edit("UPDATE book SET isbn = '12'")
    for branch in [north, south, north] { try branch.sync() }
    let head = try north.town.server.head(of: Town.scope)

    for _ in 0..<5 { for branch in [north, south] { try branch.sync() } }

    #expect(try north.town.server.head(of: Town.scope) == head)
    #expect(try north.shown == ["b1:north:+:12:0:-:-"])
    try expectConverged(north, south)
  }

  @Test func `a trigger that inserts deleted rows again does not undo a pulled deletion`()
    throws
  {
    let (north, south) = try branches()
    try south.edit(
      """
      CREATE TRIGGER revive AFTER DELETE ON book BEGIN
        INSERT INTO book(id, title) VALUES (OLD.id, 'revived');
      END
      """)
    try north.edit("DELETE FROM book")

    for branch in [north, south, north] { try branch.sync() }

    #expect(try south.books == [])
    try expectConverged(north, south)
  }

  @Test
  func `when a pulled row is applied, a trigger can change local columns and local tables`() throws
  {
    let (north, south) = try branches(
      "CREATE TABLE diary(title TEXT)",
      """
      CREATE TRIGGER note_title AFTER UPDATE OF title ON book BEGIN
        UPDATE book SET draft = NEW.title WHERE id = NEW.id;
        INSERT INTO diary VALUES (NEW.title);
      END
      """)
    try north.edit("UPDATE book SET title = 'Emma'")

    for branch in [north, south] { try branch.sync() }

    #expect(try south.value("SELECT draft FROM book") == "Emma")
    #expect(try south.value("SELECT title FROM diary") == "Emma")
  }

  @Test func `a local change of a row that was pulled runs the application's triggers`() throws {
    let (north, south) = try branches(Self.bump)
    try north.edit("UPDATE book SET title = 'Emma'")
    for branch in [north, south] { try branch.sync() }

    try south.edit("UPDATE book SET title = 'Ubik'")
    for branch in [south, north] { try branch.sync() }

    #expect(try north.shown == ["b1:Ubik:++:-:0:-:-"])
    try expectConverged(north, south)
  }

  // MARK: Triggers that end the transaction

  @Test(arguments: ["BEFORE INSERT", "AFTER INSERT"])
  func `if a trigger rolls back the transaction of a pulled row, only this row is postponed`(
    event: String
  )
    throws
  {
    let branch = try Town().branch()
    try branch.edit(
      """
      CREATE TRIGGER no_emma \(SQL(unchecked: event)) ON book WHEN NEW.title = 'Emma'
      BEGIN SELECT RAISE(ROLLBACK, 'not here'); END
      """)

    try branch.receive(
      [.author("018f0000-0000-7000-8000-000000000001", 1, ["name": .text("Herbert")])]
        + (2...20).map { .book(DataIdentifier("b\($0)"), $0, ["title": .text(Self.title($0))]) })
    while try branch.replica.execute(limit: 100) > 0 {}

    #expect(try branch.books.count == 16)
    #expect(try branch.replica.queue().blocked == 3)
    #expect(
      try branch.value("SELECT min(reason) FROM sync_blocked")
        == "the row violates the constraint RAISE (not here)")
    #expect(try branch.replica.state().consistentCursor == 20)
    try branch.edit("DROP TRIGGER no_emma")
    _ = try branch.replica.execute(limit: 100)
    #expect(try branch.books.count == 19)
    #expect(try branch.conflicts == ["blocked", "blocked", "blocked"])
    #expect(try branch.replica.queue().conflicts == 0)
  }

  private static func title(_ number: Int64) -> String {
    [5, 10, 15].contains(number) ? "Emma" : "Dune"
  }

  @Test
  func
    `an operation rejected by the server leaves the queue even if a trigger prevents undoing it`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 1, ["title": .text("Dune")])])
    _ = try branch.replica.execute(limit: 10)
    try branch.edit("UPDATE book SET title = 'Ubik'")
    try branch.seal()
    let operation = try #require(try branch.sent.first)
    try branch.edit(
      """
      CREATE TRIGGER no_dune BEFORE UPDATE ON book WHEN NEW.title = 'Dune'
      BEGIN SELECT RAISE(ROLLBACK, 'no going back'); END
      """)

    try branch.replica.park(operation.operationIdentifier, message: "refused")

    #expect(try branch.sent.isEmpty)
    #expect(try branch.conflicts == ["rejected"])
    #expect(try branch.replica.queue().blocked == 1)
  }

  // MARK: Rows that require each other

  @Test
  func
    `pulled rows that require each other are postponed with a reason that names the missing row`()
    throws
  {
    let catalogue: SQL = """
      CREATE TABLE author(
        id INTEGER PRIMARY KEY, name TEXT, best TEXT NOT NULL REFERENCES book(id)
          DEFERRABLE INITIALLY DEFERRED);
      CREATE TABLE book(
        id TEXT PRIMARY KEY NOT NULL, title TEXT, copies INTEGER, draft TEXT,
        author INTEGER NOT NULL REFERENCES author(id) DEFERRABLE INITIALLY DEFERRED);
      """
    let town = Town()
    let (north, south) = (try town.branch(catalogue), try town.branch(catalogue))
    try north.edit(
      "INSERT INTO author(id, name, best) VALUES (1, 'Herbert', 'b1')",
      "INSERT INTO book(id, title, author) VALUES ('b1', 'Dune', 1)")

    for branch in [north, south] { try branch.sync() }

    let author: String = try north.value("SELECT identifier FROM sync_record WHERE table_id = 1")
    #expect(try south.conflicts == ["blocked", "blocked"])
    #expect(
      try south.database.fetchAll("SELECT reason FROM sync_blocked ORDER BY table_name") { row in
        try row[0] as String
      } == [
        """
        the required column "best" refers to the row "b1" of the table "book", which is not in \
        this database
        """,
        """
        the required column "author" refers to the row "\(author)" of the table "author", which is \
        not in this database
        """,
      ])
  }
}
