import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of keys that are equal according to the collation of their column, but belong to different
/// rows of the server.
@Suite struct ReplicaCollationTests {
  private static let catalogue: SQL = """
    CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE book(id TEXT PRIMARY KEY NOT NULL COLLATE NOCASE, title TEXT, copies INTEGER,
      sequel TEXT COLLATE NOCASE REFERENCES book(id), draft TEXT);
    """

  @Test func `a pulled row does not overwrite a row whose key differs only in case`() throws {
    let branch = try Town().branch(Self.catalogue)
    try branch.receive([.book("b1", 1, ["title": .text("Dune")])])
    _ = try branch.replica.execute(limit: 10)

    try branch.receive([.book("B1", 2, ["title": .text("Emma")])])
    _ = try branch.replica.execute(limit: 10)

    #expect(try branch.books == ["b1"])
    #expect(try branch.title() == "Dune")
    #expect(try branch.conflicts == ["blocked"])
    try branch.receive([.book("b1", 3, nil)])
    _ = try branch.replica.execute(limit: 10)
    #expect(try branch.books == ["B1"])
    #expect(try branch.replica.queue().isEmpty)
  }

  @Test func `a pulled deletion does not delete a row whose key differs only in case`() throws {
    let branch = try Town().branch(Self.catalogue)
    try branch.receive([.book("b1", 1, ["title": .text("Dune")])])
    _ = try branch.replica.execute(limit: 10)

    try branch.receive([.book("B1", 2, ["title": .text("Emma")]), .book("B1", 3, nil)])
    _ = try branch.replica.execute(limit: 1)
    _ = try branch.replica.execute(limit: 10)

    #expect(try branch.books == ["b1"])
    #expect(try branch.conflicts == ["blocked"])
    #expect(try branch.value("SELECT count(*) FROM sync_blocked") == 0)
  }

  @Test
  func `a pulled foreign key is not matched with a row whose NOCASE key differs only in case`()
    throws
  {
    let branch = try Town().branch(Self.catalogue)
    try branch.receive([
      .book("b1", 1, ["title": .text("Dune")]),
      .book("b2", 2, ["title": .text("Persuasion"), "sequel": .text("B1")]),
    ])
    _ = try branch.replica.execute(limit: 10)

    #expect(try branch.value("SELECT count(sequel) FROM book") == 0)
    #expect(try branch.value("SELECT identifier FROM sync_unresolved") == "B1")
    #expect(try branch.replica.queue().isEmpty)
  }
}
