import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of references to rows that are not in the database.
///
/// The pulled row and unsent changes of the same row can refer to different missing rows.
@Suite struct ReplicaWaitingReferenceTests {
  private static let herbert: DataIdentifier = "018f0000-0000-7000-8000-000000000001"
  private static let asimov: DataIdentifier = "018f0000-0000-7000-8000-000000000002"

  private func receive(_ rows: PulledRow..., by branch: Branch) throws {
    try branch.receive(rows)
    while try branch.replica.execute(limit: 1) > 0 {}
  }

  private func herbert(_ version: Int64) -> PulledRow {
    .author(Self.herbert, version, ["name": .text("Herbert"), "mentor": .null])
  }

  private func asimov(_ version: Int64) -> PulledRow {
    .author(Self.asimov, version, ["name": .text("Asimov"), "mentor": .null])
  }

  private func book(_ version: Int64, by author: DataIdentifier?) -> PulledRow {
    .book(
      "b1", version,
      ["title": .text("Dune"), "author": author.map { .text($0.text) } ?? .null])
  }

  private func chooseAsimov(in branch: Branch) throws {
    try branch.edit("UPDATE book SET author = (SELECT id FROM author WHERE name = 'Asimov')")
    try branch.seal()
  }

  private func parkLast(of branch: Branch) throws {
    let operation = try #require(try branch.sent.last)
    try branch.replica.park(operation.operationIdentifier, message: "refused")
  }

  @Test
  func `the pulled value and an unsent value of a foreign key can refer to different missing rows`()
    throws
  {
    let branch = try Town().branch()
    try receive(asimov(1), book(2, by: Self.herbert), by: branch)
    try chooseAsimov(in: branch)
    try receive(.author(Self.asimov, 3, nil), by: branch)
    #expect(try branch.shown == ["b1:Dune:-:-:0:-:-"])

    try receive(asimov(4), by: branch)

    #expect(try branch.shown == ["Asimov:-", "b1:Dune:-:-:0:Asimov:-"])
    try parkLast(of: branch)
    try receive(herbert(5), by: branch)
    #expect(try branch.shown == ["Asimov:-", "Herbert:-", "b1:Dune:-:-:0:Herbert:-"])
  }

  @Test
  func `a foreign key set by a refused local change stays NULL when the referenced row arrives`()
    throws
  {
    let branch = try Town().branch()
    try receive(asimov(1), book(2, by: nil), by: branch)
    try chooseAsimov(in: branch)
    try receive(.author(Self.asimov, 3, nil), by: branch)

    try parkLast(of: branch)
    try receive(asimov(4), by: branch)

    #expect(try branch.shown == ["Asimov:-", "b1:Dune:-:-:0:-:-"])
    #expect(try branch.value("SELECT count(*) FROM sync_unresolved") == 0)
  }

  @Test
  func `undoing a refused change sets a foreign key to NULL if the old referenced row was deleted`()
    throws
  {
    let branch = try Town().branch()
    try receive(asimov(1), herbert(2), book(3, by: Self.herbert), by: branch)
    try chooseAsimov(in: branch)
    try receive(.author(Self.herbert, 4, nil), by: branch)
    try branch.edit("INSERT INTO author(id, name) VALUES (2, 'Borges')")

    try parkLast(of: branch)

    #expect(try branch.shown == ["Asimov:-", "Borges:-", "b1:Dune:-:-:0:-:-"])
    try receive(herbert(5), by: branch)
    #expect(try branch.shown == ["Asimov:-", "Borges:-", "Herbert:-", "b1:Dune:-:-:0:Herbert:-"])
  }

  @Test
  func `a pulled row postponed due to a UNIQUE constraint retains its reference to a missing row`()
    throws
  {
    let branch = try Town().branch()
    var book = book(1, by: Self.herbert)
    book.fields?["isbn"] = .text("1")
    try receive(book, by: branch)
    try branch.edit("UPDATE book SET isbn = NULL", "INSERT INTO book(id, isbn) VALUES ('b2', '1')")
    try branch.seal()
    let update = try #require(try branch.sent.first { $0.change.kind == .update })
    try branch.replica.park(update.operationIdentifier, message: "refused")
    #expect(try branch.value("SELECT count(*) FROM sync_blocked") == 1)

    try branch.edit("UPDATE book SET isbn = '2' WHERE id = 'b2'")
    try receive(by: branch)
    try receive(herbert(2), by: branch)

    #expect(try branch.value("SELECT count(*) FROM sync_blocked") == 0)
    #expect(try branch.value("SELECT count(author) FROM book") == 1)
  }
}
