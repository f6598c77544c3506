import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of columns with default values that are added while rows have unsent changes.
@Suite struct ReplicaNewColumnTests {
  private func addPlace(to branch: Branch) throws {
    try branch.database.write { db in
      try db.execute("ALTER TABLE book ADD COLUMN place TEXT NOT NULL DEFAULT 'A'")
      try SyncSchema.refresh(in: db)
    }
  }

  @Test func `a change sent after a column was added does not contain the default of that column`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([])
    try branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try branch.seal()

    try addPlace(to: branch)
    try branch.edit("UPDATE book SET title = 'Emma'")
    try branch.seal()

    #expect(try branch.sent.count == 2)
    #expect(try branch.sent.last?.change == .update(["title": .text("Emma")]))
    #expect(try branch.value("SELECT place FROM book") == "A")
  }

  @Test func `the value that another replica inserted replaces the default of a new local column`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([])
    try branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try branch.seal()

    try addPlace(to: branch)
    try branch.receive([.book("b1", 1, ["title": .text("Emma"), "place": .text("B")])])
    _ = try branch.replica.execute(limit: 10)

    #expect(try branch.title() == "Dune")
    #expect(try branch.value("SELECT place FROM book") == "B")
  }

  /// Returns two branches, of which the first has the column `place`, and the second has answered a
  /// conflict by restoring a value of this column.
  private func branchesWithAnswer() throws -> (north: Branch, south: Branch) {
    let town = Town()
    let (north, south) = (try town.branch(), try town.branch())
    try addPlace(to: north)
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try north.sync()
    try south.sync()
    try south.edit("DELETE FROM book")
    try north.edit("UPDATE book SET title = 'Emma', place = 'B'")
    try south.sync()
    try north.sync()
    try south.sync()
    let conflicts = try south.replica.openConflicts().compactMap { conflict in
      if case .lost(let lost) = conflict { lost } else { nil }
    }
    let conflict = try #require(conflicts.first)
    _ = try south.replica.answer(conflict.conflictIdentifier, with: .lostValues)
    return (north, south)
  }

  @Test
  func `an unsent answer to a conflict restores the lost value of a column added after the answer`()
    throws
  {
    let (north, south) = try branchesWithAnswer()
    try south.edit("UPDATE book SET note = 'torn'")

    try addPlace(to: south)
    try south.replica.adoptExtras()
    try south.sync()
    try north.sync()

    #expect(try south.value("SELECT place FROM book") == "B")
    #expect(try north.value("SELECT place FROM book") == "B")
    #expect(try south.value("SELECT count(*) FROM sync_unknown_column") == 0)
    try expectConverged(north, south)
  }

  // A later operation can get the number of the answer.
  @Test
  func
    `sending an answer to a conflict removes the unknown columns that were stored for the answer`()
    throws
  {
    let (north, south) = try branchesWithAnswer()
    let columns: SQL = "SELECT count(*) FROM sync_unknown_column"
    #expect(try south.value(columns) == 1)

    try south.sync()
    try north.sync()

    #expect(try south.value("SELECT count(*) FROM sync_to_sync") == 0)
    #expect(try south.value(columns) == 0)
    #expect(try north.value("SELECT place FROM book") == "B")
  }

  @Test
  func `undoing a refused deletion sets columns added after the deletion to their defaults`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 1, ["title": .text("Dune")])])
    _ = try branch.replica.execute(limit: 10)
    try branch.edit("DELETE FROM book")

    try addPlace(to: branch)
    try branch.seal()
    let deletion = try #require(try branch.sent.first)
    try branch.replica.park(deletion.operationIdentifier, message: "refused")

    #expect(try branch.title() == "Dune")
    #expect(try branch.value("SELECT place FROM book") == "A")
  }

  @Test(
    arguments: [
      ("'a(b'", "a(b"), ("'it''s'", "it's"), ("\"none\"", "none"), ("none", "none"), ("-5", "-5"),
      ("NULL", nil), ("CURRENT_DATE", nil), ("(lower('A'))", nil),
    ] as [(String, String?)])
  func `a column missing from a pulled row gets its default if constant, and otherwise NULL`(
    _ definition: String, _ expected: String?
  ) throws {
    let branch = try Town().branch(
      SQL(
        unchecked: """
          CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE book(id TEXT PRIMARY KEY, title TEXT, copies INTEGER,
            note TEXT DEFAULT \(definition), draft TEXT);
          """))
    try branch.receive([.book("b1", 1, ["title": .text("Dune"), "note": .text("new")])])
    _ = try branch.replica.execute(limit: 10)

    try branch.receive([.book("b1", 2, ["title": .text("Dune")])])
    _ = try branch.replica.execute(limit: 10)

    #expect(try branch.version() == 2)
    #expect(try branch.value("SELECT note FROM book", as: String?.self) == expected)
  }

  @Test
  func `a required column without a default retains its value if a pulled row lacks the column`()
    throws
  {
    let branch = try Town().branch()
    let author: DataIdentifier = "018f0000-0000-7000-8000-000000000001"
    try branch.receive([.author(author, 1, ["name": .text("Herbert"), "mentor": .null])])
    _ = try branch.replica.execute(limit: 10)

    try branch.receive([.author(author, 2, ["mentor": .null])])
    _ = try branch.replica.execute(limit: 10)

    #expect(try branch.shown == ["Herbert:-"])
    #expect(try branch.conflicts.isEmpty)
  }
}
