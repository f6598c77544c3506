import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of changes of integer keys, which are different on each replica and never sent.
@Suite struct ReplicaKeyChangeTests {
  private static let catalogue: SQL = """
    CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT NOT NULL, mentor INTEGER);
    CREATE TABLE book(
      id TEXT PRIMARY KEY, title TEXT, note TEXT, isbn TEXT, copies INTEGER DEFAULT 0,
      author INTEGER REFERENCES author(id) ON UPDATE CASCADE ON DELETE SET NULL, draft TEXT);
    """

  /// Returns two synchronised branches with the books of Herbert (1) and Asimov (2).
  private func branches(_ policy: TablePolicy) throws -> (Branch, Branch) {
    let town = Town(policy)
    let (north, south) = (try town.branch(Self.catalogue), try town.branch(Self.catalogue))
    try north.edit(
      "INSERT INTO author(id, name) VALUES (1, 'Herbert'), (2, 'Asimov')",
      "INSERT INTO book(id, title, author) VALUES ('b1', 'Dune', 1), ('b2', 'Nemesis', 2)")
    try north.sync()
    try south.sync()
    return (north, south)
  }

  @Test func `changing an integer key sends no operation, even if other rows refer to the key`()
    throws
  {
    let (north, south) = try branches(TablePolicy())

    try north.edit("UPDATE author SET id = 9 WHERE id = 1")

    #expect(try north.value("SELECT author FROM book WHERE id = 'b1'") == 9)
    #expect(try north.seal() == 0)
    #expect(try north.replica.queue().isEmpty)
    try expectConverged(north, south)
  }

  @Test
  func `a row restored to the server's values refers to the new local key of the referenced row`()
    throws
  {
    let (north, south) = try branches(TablePolicy(.serverWins))
    try north.edit("UPDATE book SET title = 'Dune Messiah' WHERE id = 'b1'")
    try north.sync()

    try south.edit(
      "UPDATE book SET title = 'Children of Dune' WHERE id = 'b1'",
      "UPDATE author SET id = 9 WHERE id = 1", "INSERT INTO author(id, name) VALUES (1, 'Borges')")
    for _ in 0..<2 {
      try south.sync()
      try north.sync()
    }

    #expect(
      try south.shown == [
        "Asimov:-", "Borges:-", "Herbert:-", "b1:Dune Messiah:-:-:0:Herbert:-",
        "b2:Nemesis:-:-:0:Asimov:-",
      ])
    try expectConverged(north, south)
  }

  @Test
  func `undoing a refused UPDATE OR REPLACE restores the replaced row and references to the row`()
    throws
  {
    let (north, south) = try branches(TablePolicy(.ask))
    try north.edit("UPDATE book SET title = 'Dune Messiah' WHERE id = 'b1'")
    try north.sync()

    try south.edit(
      "UPDATE sync_clock SET group_id = 'g'",
      "UPDATE book SET title = 'Children of Dune' WHERE id = 'b1'",
      "UPDATE book SET title = 'Foundation' WHERE id = 'b2'",
      "UPDATE OR REPLACE author SET id = 2 WHERE id = 1", "UPDATE sync_clock SET group_id = NULL")
    #expect(try south.value("SELECT count(*) FROM author") == 1)
    try south.seal()
    try south.push()
    try south.pull()

    #expect(
      try south.shown == [
        "Asimov:-", "Herbert:-", "b1:Dune Messiah:-:-:0:Herbert:-", "b2:Nemesis:-:-:0:Asimov:-",
      ])
    try expectConverged(north, south)
  }
}
