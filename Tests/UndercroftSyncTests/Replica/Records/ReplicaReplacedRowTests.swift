import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of rows that `REPLACE` removes because of a unique index.
///
/// SQLite runs no deletion trigger for such rows.
@Suite struct ReplicaReplacedRowTests {
  private static let herbert: DataIdentifier = "018f0000-0000-7000-8000-000000000001"
  private static let asimov: DataIdentifier = "018f0000-0000-7000-8000-000000000002"
  private static let borges: DataIdentifier = "018f0000-0000-7000-8000-000000000003"

  /// Returns a branch in which a statement for the author 1 has replaced the author 2.
  ///
  /// Both rows were pulled, and the statement gives the author 1 the unique name of the author 2.
  private func branch() throws -> Branch {
    let branch = try Town().branch(
      """
      CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, mentor INTEGER);
      CREATE TABLE book(
        id TEXT PRIMARY KEY, title TEXT, note TEXT, isbn TEXT, copies INTEGER DEFAULT 0,
        author INTEGER, draft TEXT);
      """)
    try branch.receive([
      .author(Self.herbert, 1, ["name": .text("Herbert")]),
      .author(Self.asimov, 2, ["name": .text("Asimov")]),
    ])
    _ = try branch.replica.execute(limit: 10)
    try branch.edit("INSERT OR REPLACE INTO author(id, name) VALUES (1, 'Asimov')")
    return branch
  }

  @Test func `a row that INSERT OR REPLACE has replaced is sent as a deletion`() throws {
    let branch = try branch()

    try branch.seal()

    let changes = try branch.sent.map { "\($0.change.kind) \($0.dataIdentifier.text)" }
    #expect(changes.sorted() == ["delete \(Self.asimov.text)", "update \(Self.herbert.text)"])
    #expect(try branch.value("SELECT count(*) FROM sync_record WHERE isDeleted") == 1)
    #expect(
      try branch.value(
        "SELECT primary_key FROM sync_record WHERE identifier = \(Self.asimov.text)",
        as: Int?.self) == nil)
  }

  @Test func `a pulled row does not get the key of a replaced row whose deletion was not sent`()
    throws
  {
    let branch = try branch()

    try branch.receive([.author(Self.borges, 3, ["name": .text("Borges")])])
    _ = try branch.replica.execute(limit: 10)

    #expect(try branch.shown == ["Asimov:-", "Borges:-"])
    #expect(try branch.conflicts.isEmpty)
    try branch.seal()
    #expect(Set(try branch.sent.map(\.dataIdentifier)) == [Self.herbert, Self.asimov])
  }

  @Test func `a new row that reuses the key of a replaced row gets a new identifier`() throws {
    let branch = try branch()
    try branch.seal()

    try branch.edit("INSERT INTO author(id, name) VALUES (2, 'Borges')")
    try branch.seal()

    let insertion = try #require(try branch.sent.last)
    #expect(insertion.change.kind == .insert)
    #expect(![Self.herbert, Self.asimov].contains(insertion.dataIdentifier))
  }

  @Test(arguments: ["id, name) VALUES (2, 'Borges'", "name) VALUES ('Borges'"])
  func
    `a row inserted with the key of a replaced row gets a new identifier even if nothing was sent`(
      values: String
    ) throws
  {
    let branch = try branch()

    try branch.edit("INSERT INTO author(\(SQL(unchecked: values)))")
    try branch.seal()

    let sent = try branch.sent
    let changes = sent.map { "\($0.change.kind) \($0.dataIdentifier.text)" }
    #expect(changes.count == 3)
    #expect(changes.contains("delete \(Self.asimov.text)"))
    #expect(changes.contains("update \(Self.herbert.text)"))
    let insertion = try #require(sent.first { $0.change.kind == .insert })
    #expect(![Self.herbert, Self.asimov].contains(insertion.dataIdentifier))
    #expect(insertion.change.values["name"] == .text("Borges"))
    #expect(try branch.value("SELECT id FROM author WHERE name = 'Borges'") == 2)
  }

  @Test
  func `a row replaced by INSERT OR REPLACE reappears if the server refuses the row's deletion`()
    throws
  {
    let branch = try branch()
    try branch.seal()
    try branch.edit(
      "UPDATE author SET name = 'Herbert'", "INSERT INTO author(id, name) VALUES (2, 'Borges')")

    let deletion = try #require(try branch.sent.first { $0.change.kind == .delete })
    try branch.replica.park(deletion.operationIdentifier, message: "refused")

    #expect(try branch.shown == ["Asimov:-", "Borges:-", "Herbert:-"])
  }
}
