import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of references to rows whose integer keys differ between replicas.
@Suite struct ReplicaReferenceTests {
  private static let herbert: DataIdentifier = "018f0000-0000-7000-8000-000000000001"
  private static let asimov: DataIdentifier = "018f0000-0000-7000-8000-000000000002"

  private func author(
    _ identifier: DataIdentifier, _ version: Int64, _ name: String, mentor: DataIdentifier? = nil
  ) -> PulledRow {
    .author(
      identifier, version,
      ["name": .text(name), "mentor": mentor.map { .text($0.text) } ?? .null])
  }

  private func book(_ version: Int64, by author: DataIdentifier) -> PulledRow {
    .book("b1", version, ["title": .text("Dune"), "author": .text(author.text)])
  }

  private func execute(_ branch: Branch) throws {
    while try branch.replica.execute(limit: 1) > 0 {}
  }

  @Test func `two replicas can store the same rows under different integer keys`() throws {
    let town = Town()
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit(
      "INSERT INTO author(id, name) VALUES (1, 'Herbert')",
      "INSERT INTO book(id, author) VALUES ('b1', 1)")
    try south.edit(
      "INSERT INTO author(id, name) VALUES (1, 'Asimov')",
      "INSERT INTO book(id, author) VALUES ('b2', 1)")

    for _ in 0..<2 {
      try north.sync()
      try south.sync()
    }

    #expect(
      try north.shown
        == ["Asimov:-", "Herbert:-", "b1:-:-:-:0:Herbert:-", "b2:-:-:-:0:Asimov:-"])
    try expectConverged(north, south)
  }

  @Test func `a pulled reference to a later row of the same page of changes is resolved`() throws {
    let branch = try Town().branch()
    try branch.receive([book(1, by: Self.herbert), author(Self.herbert, 2, "Herbert")])

    _ = try branch.replica.execute(limit: 1)

    #expect(try branch.shown == ["Herbert:-", "b1:Dune:-:-:0:Herbert:-"])
  }

  @Test func `a pulled reference is NULL until the referenced row arrives`() throws {
    let branch = try Town().branch()
    try branch.receive([book(1, by: Self.herbert)], more: true)
    try execute(branch)
    #expect(try branch.shown == ["b1:Dune:-:-:0:-:-"])

    try branch.receive([author(Self.herbert, 2, "Herbert")])
    try execute(branch)

    #expect(try branch.shown == ["Herbert:-", "b1:Dune:-:-:0:Herbert:-"])
    #expect(try branch.value("SELECT count(*) FROM sync_unresolved") == 0)
    #expect(try branch.seal() == 0)
  }

  @Test
  func `a pulled foreign key refers to a row that reappears after an update won over its deletion`()
    throws
  {
    let town = Town(TablePolicy(deletion: .updateWins))
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit("INSERT INTO author(id, name) VALUES (1, 'Herbert')")
    try north.sync()
    try south.sync()
    try south.edit("DELETE FROM author")
    try north.edit(
      "UPDATE author SET name = 'Frank Herbert'",
      "INSERT INTO book(id, author) VALUES ('b1', 1)")

    try north.sync()
    try south.sync()

    #expect(try south.shown == ["Frank Herbert:-", "b1:-:-:-:0:Frank Herbert:-"])
    try expectConverged(north, south)
  }

  @Test
  func `references point to the new key of a row that reappears because its deletion was rejected`()
    throws
  {
    let town = Town(TablePolicy(.ask))
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit(
      "INSERT INTO author(id, name) VALUES (1, 'Herbert'), (2, 'Asimov')",
      "INSERT INTO book(id, author) VALUES ('b1', 1), ('b2', 2)")
    try north.sync()
    try south.sync()
    try north.edit("UPDATE book SET title = 'Foundation' WHERE id = 'b2'")
    try north.sync()
    try south.edit(
      "UPDATE sync_clock SET group_id = 'g'", "UPDATE book SET title = 'Nightfall' WHERE id = 'b2'",
      "UPDATE book SET author = NULL WHERE id = 'b1'", "DELETE FROM author WHERE id = 1",
      "UPDATE sync_clock SET group_id = NULL")

    try south.seal()
    try south.push()
    try south.pull()

    #expect(
      try south.shown == [
        "Asimov:-", "Herbert:-", "b1:-:-:-:0:Herbert:-", "b2:Foundation:-:-:0:Asimov:-",
      ])
    #expect(try south.value("SELECT id FROM author WHERE name = 'Herbert'") == 3)
    try expectConverged(north, south)
  }

  @Test func `a chain of 3,000 rows that refer to each other can be deleted with one statement`()
    throws
  {
    let count = 3_000
    let town = Town()
    let branch = try town.branch()
    try branch.edit(
      """
      INSERT INTO author(id, name, mentor)
      SELECT value, 'author ' || value, nullif(value - 1, 0)
      FROM (WITH RECURSIVE n(value) AS (
        SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < \(count)) SELECT value FROM n)
      """)
    repeat { try branch.sync() } while try !branch.replica.queue().isEmpty
    try branch.edit("DELETE FROM author")

    repeat { try branch.sync() } while try !branch.replica.queue().isEmpty

    #expect(try branch.shown == [])
    try expectConverged(branch)
  }

  @Test
  func `editing a column does not overwrite another column that refers to a row not yet pulled`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([book(1, by: Self.herbert)])
    try execute(branch)

    try branch.edit("UPDATE book SET title = 'Emma'")
    try branch.receive([author(Self.herbert, 2, "Herbert")])
    try execute(branch)
    try branch.seal()

    #expect(try branch.sent.map(\.change) == [.update(["title": .text("Emma")])])
    #expect(try branch.shown == ["Herbert:-", "b1:Emma:-:-:0:Herbert:-"])
  }

  @Test func `pulled rows can refer to each other and to themselves`() throws {
    let branch = try Town().branch()
    try branch.receive([
      author(Self.herbert, 1, "Herbert", mentor: Self.asimov),
      author(Self.asimov, 2, "Asimov", mentor: Self.herbert),
      author(
        "018f0000-0000-7000-8000-000000000003", 3, "Borges",
        mentor: "018f0000-0000-7000-8000-000000000003"),
    ])

    try execute(branch)

    #expect(try branch.shown == ["Asimov:Herbert", "Borges:Borges", "Herbert:Asimov"])
    #expect(try branch.replica.queue().isEmpty)
  }

  @Test func `a pulled row with a required reference to itself can be inserted`() throws {
    let branch = try Town().branch(
      """
      CREATE TABLE author(
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, mentor INTEGER NOT NULL REFERENCES author(id));
      CREATE TABLE book(id TEXT PRIMARY KEY, copies INTEGER, draft TEXT);
      """)
    try branch.receive([author(Self.herbert, 1, "Herbert", mentor: Self.herbert)])

    try execute(branch)

    #expect(try branch.value("SELECT id = mentor FROM author") == 1)
  }

  @Test func `a chain of 200 references between pulled rows is resolved completely`() throws {
    let branch = try Town().branch()
    func identifier(_ number: Int) -> DataIdentifier { DataIdentifier("author-\(number)") }
    let count = 200
    let rows = (0..<count).map { number in
      author(
        identifier(number), Int64(number + 1), "a\(number)",
        mentor: number + 1 < count ? identifier(number + 1) : nil)
    }
    try branch.receive(rows)

    while try branch.replica.execute(limit: 50) > 0 {}

    #expect(try branch.value("SELECT count(mentor) FROM author") == count - 1)
    #expect(try branch.replica.queue().isEmpty)
  }

  @Test func `references that a pulled deletion sets to NULL are not sent as changes`() throws {
    let branch = try Town().branch()
    try branch.receive([author(Self.herbert, 1, "Herbert"), book(2, by: Self.herbert)])
    try execute(branch)

    try branch.receive([.author(Self.herbert, 3, nil)])
    try execute(branch)
    #expect(try branch.shown == ["b1:Dune:-:-:0:-:-"])
    #expect(try branch.seal() == 0)

    // The new row gets the same key, to which the book must not refer.
    try branch.edit("INSERT INTO author(id, name) VALUES (1, 'Asimov')")
    try branch.receive([author(Self.herbert, 4, "Herbert")])
    try execute(branch)
    #expect(try branch.shown == ["Asimov:-", "Herbert:-", "b1:Dune:-:-:0:Herbert:-"])
  }

  @Test func `a sent reference contains the identifier of the referenced row, not its key`() throws
  {
    let branch = try Town().branch()
    try branch.receive([author(Self.herbert, 1, "Herbert"), author(Self.asimov, 2, "Asimov")])
    try execute(branch)

    try branch.edit(
      "INSERT INTO book(id, author) SELECT 'b1', id FROM author WHERE name = 'Asimov'")
    try branch.seal()

    #expect(try branch.sent.first?.change.values["author"] == .text(Self.asimov.text))
  }

  @Test(arguments: ["CASCADE", "SET NULL", "RESTRICT", "NO ACTION"])
  func `a replica applies a pulled deletion regardless of the ON DELETE action of the foreign key`(
    action: String
  )
    throws
  {
    let town = Town()
    let catalogue = SQL(
      unchecked: """
        CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT NOT NULL, mentor INTEGER);
        CREATE TABLE book(
          id TEXT PRIMARY KEY, title TEXT, note TEXT, isbn TEXT, copies INTEGER DEFAULT 0,
          author INTEGER REFERENCES author(id) ON DELETE \(action), draft TEXT);
        """)
    let (north, south) = (try town.branch(catalogue), try town.branch(catalogue))
    try south.edit("INSERT INTO author(id, name) VALUES (1, 'Asimov')")
    try north.edit(
      "INSERT INTO author(id, name) VALUES (1, 'Herbert')",
      "INSERT INTO book(id, author) VALUES ('b1', 1)")
    for _ in 0..<2 {
      try north.sync()
      try south.sync()
    }

    if action == "RESTRICT" || action == "NO ACTION" { try north.edit("DELETE FROM book") }
    try north.edit("DELETE FROM author WHERE name = 'Herbert'")
    try north.sync()
    try south.download()
    while try south.replica.execute(limit: 1) > 0 {}

    #expect(try south.shown == north.shown)
    #expect(try south.value("SELECT count(*) FROM author") == 1)
    try expectConverged(north, south)
  }

  @Test func `rows with 16-byte keys can be referenced, and can be removed by a snapshot`() throws {
    let town = Town()
    let catalogue: SQL = """
      CREATE TABLE author(id BLOB PRIMARY KEY NOT NULL, name TEXT NOT NULL, mentor BLOB);
      CREATE TABLE book(
        id TEXT PRIMARY KEY, title TEXT, note TEXT, isbn TEXT, copies INTEGER DEFAULT 0,
        author BLOB REFERENCES author(id), draft TEXT);
      """
    let (north, south) = (try town.branch(catalogue), try town.branch(catalogue))
    try north.edit(
      "INSERT INTO author(id, name) VALUES (x'000102030405060708090a0b0c0d0e0f', 'Herbert')",
      "INSERT INTO author(id, name) VALUES (x'ff0102030405060708090a0b0c0d0e0f', 'Asimov')",
      "INSERT INTO book(id, author) VALUES ('b1', x'000102030405060708090a0b0c0d0e0f')")
    try north.pull()
    try north.seal()
    let identifier = try #require(try north.sent.first?.dataIdentifier)
    #expect(identifier == "00010203-0405-0607-0809-0a0b0c0d0e0f")
    #expect(try north.sent.last?.change.values["author"] == .text(identifier.text))
    try north.sync()
    try south.sync()
    try expectConverged(north, south)

    try north.edit("DELETE FROM author WHERE name = 'Asimov'")
    try north.sync()
    try town.server.compact(Town.scope, through: 4)
    try south.sync()

    #expect(try south.shown == ["Herbert:-", "b1:-:-:-:0:Herbert:-"])
    try expectConverged(north, south)
  }

  @Test
  func `a snapshot does not remove a row that the next pulled page of changes contains`()
    throws
  {
    let branch = try Town().branch()
    try branch.replica.accept(.refused(.epoch("epoch")) as PullAnswer)
    try branch.receive([book(1, by: Self.herbert)])
    try branch.receive([author(Self.herbert, 2, "Herbert")])

    try execute(branch)

    #expect(try branch.shown == ["Herbert:-", "b1:Dune:-:-:0:Herbert:-"])
  }
}
