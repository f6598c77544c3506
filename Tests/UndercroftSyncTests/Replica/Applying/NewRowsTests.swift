import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of pulled rows that are inserted together because they are new to the database.
@Suite struct NewRowsTests {
  /// Returns pulled books with consecutive numbers, whose versions are these numbers.
  private func books(_ numbers: ClosedRange<Int>) -> [PulledRow] {
    numbers.map { .book(DataIdentifier("b\($0)"), Int64($0), ["title": .text("Title \($0)")]) }
  }

  @Test
  func `inserting pulled new rows records their versions and enqueues no operations`() throws {
    let branch = try Town().branch()

    try branch.receive(books(1...20))
    _ = try branch.replica.execute(limit: 100)

    #expect(try branch.books.count == 20)
    #expect(try branch.version("b7") == 7)
    #expect(try branch.replica.queue().isEmpty)
    #expect(try branch.replica.state().appliedCursor == 20)
    #expect(try branch.value("SELECT applying FROM sync_clock") == 0)
  }

  @Test
  func `a pulled row with a duplicate unique value is postponed, and the other rows are inserted`()
    throws
  {
    let branch = try Town().branch()
    var rows = books(1...9)
    rows[2].fields?["isbn"] = .text("1")
    rows[5].fields?["isbn"] = .text("1")

    try branch.receive(rows)
    _ = try branch.replica.execute(limit: 100)

    #expect(try branch.books == ["b1", "b2", "b3", "b4", "b5", "b7", "b8", "b9"])
    #expect(try branch.conflicts == ["blocked"])
    #expect(try branch.replica.queue().blocked == 1)
  }

  @Test
  func `a row that appears twice in a pulled page of changes gets the values of its later version`()
    throws
  {
    let branch = try Town().branch()
    var rows = books(1...5)
    rows.append(.book("b2", 6, ["title": .text("Later")]))

    try branch.receive(rows)
    _ = try branch.replica.execute(limit: 100)

    #expect(try branch.title("b2") == "Later")
    #expect(try branch.version("b2") == 6)
  }

  @Test func `pulled new rows get consecutive integer keys after the largest key in the database`()
    throws
  {
    let branch = try Town().branch()
    try branch.edit("INSERT INTO author(id, name) VALUES (40, 'Own')")

    try branch.receive(
      (1...3).map { .author(DataIdentifier("a\($0)"), $0, ["name": .text("Pulled")]) })
    _ = try branch.replica.execute(limit: 100)

    let keys = try branch.database.fetchAll("SELECT id FROM author ORDER BY id") { row in
      try row[0] as Int
    }
    #expect(keys == [40, 41, 42, 43])
    #expect(try branch.value("SELECT count(*) FROM sync_record WHERE identifier IS NOT NULL") == 4)
  }

  @Test
  func `references between pulled new rows are resolved, whatever the order of the rows`() throws {
    let branch = try Town().branch()

    try branch.receive([
      .author("a1", 1, ["name": .text("First"), "mentor": .text("a2")]),
      .author("a2", 2, ["name": .text("Second")]),
      .author("a3", 3, ["name": .text("Third"), "mentor": .text("a3")]),
      .book("b1", 4, ["author": .text("a1")]), .book("b2", 5, ["author": .text("a9")]),
      .author("a9", 6, ["name": .text("Ninth")]),
    ])
    _ = try branch.replica.execute(limit: 100)

    #expect(
      try branch.shown == [
        "First:Second", "Ninth:-", "Second:-", "Third:Third", "b1:-:-:-:0:First:Second",
        "b2:-:-:-:0:Ninth:-",
      ])
    #expect(try branch.value("SELECT count(*) FROM sync_unresolved") == 0)
  }

  @Test
  func `a trigger of the application does not change synchronised columns of pulled new rows`()
    throws
  {
    let branch = try Town().branch()
    try branch.database.write { db in
      try db.execute(
        """
        CREATE TRIGGER counting AFTER INSERT ON book
        BEGIN UPDATE book SET copies = copies + 1 WHERE id = NEW.id; END
        """)
    }

    try branch.receive(books(1...3))
    _ = try branch.replica.execute(limit: 100)

    #expect(try branch.books == ["b1", "b2", "b3"])
    #expect(try branch.copies("b2") == 0)
    #expect(try branch.replica.queue().isEmpty)
  }

  @Test func `pulled text that is not UTF-8 is inserted with unchanged bytes`() throws {
    let branch = try Town().branch()
    var rows = books(1...3)
    rows[1].fields?["title"] = .malformedText(Data([0xFF, 0x41]))

    try branch.receive(rows)
    _ = try branch.replica.execute(limit: 100)

    #expect(
      try branch.value("SELECT typeof(title) || hex(title) FROM book WHERE id = 'b2'") == "textFF41"
    )
  }

  @Test
  func `applying a pulled snapshot inserts new rows and removes rows that the server has deleted`()
    throws
  {
    let town = Town()
    let (author, reader) = (try town.branch(), try town.branch())
    for number in 1...6 {
      try author.edit("INSERT INTO book(id, title) VALUES (\("b\(number)"), 'Title')")
    }
    try author.sync()
    try reader.pull()
    try author.edit("DELETE FROM book WHERE id = 'b2'")
    try author.edit("INSERT INTO book(id, title) VALUES ('b7', 'Title'), ('b8', 'Title')")
    try author.sync()

    try reader.replica.accept(
      PullAnswer.refused(.reset(.floor, try #require(author.replica.state().epoch))))
    try reader.pull()

    #expect(try reader.books == ["b1", "b3", "b4", "b5", "b6", "b7", "b8"])
    #expect(try reader.value("SELECT count(*) FROM sync_seen_record") == 0)
    try expectConverged(author, reader)
  }
}
