import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of pulled deletions of rows that other rows of the database require.
@Suite struct BlockedDeletionTests {
  private static let catalogue: SQL = """
    CREATE TABLE author(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, mentor INTEGER REFERENCES author(id));
    CREATE TABLE book(
      id TEXT PRIMARY KEY, title TEXT, note TEXT, isbn TEXT, copies INTEGER DEFAULT 0,
      author INTEGER NOT NULL REFERENCES author(id) ON DELETE CASCADE, draft TEXT);
    """

  /// Returns two readers, of which the first has deleted an author, while the second has renamed
  /// the author and inserted a book that requires the author.
  private func readersWithBlockedDeletion() async throws -> (Reader, Reader) {
    let town = Town()
    let (north, south) = (
      try Reader(try town.branch(Self.catalogue)), try Reader(try town.branch(Self.catalogue))
    )
    try north.branch.edit("INSERT INTO author(id, name, mentor) VALUES (1, 'Herbert', 1)")
    try await synchronise(north, south)
    try north.branch.edit("DELETE FROM author")
    try south.branch.edit(
      "UPDATE author SET name = 'Frank Herbert'",
      "INSERT INTO book(id, title, author) VALUES ('b1', 'Dune', 1)")
    try await synchronise(north, south, south)
    return (north, south)
  }

  @Test func `the list of conflicts contains the reason why a pulled deletion cannot be applied`()
    async throws
  {
    let (_, south) = try await readersWithBlockedDeletion()

    let reasons = try south.engine.conflicts().compactMap { conflict in
      if case .blocked(let row) = conflict { row.reason } else { nil }
    }

    #expect(reasons.count == 1)
    #expect(reasons.first?.hasPrefix("the row was deleted on the server, but this ") == true)
    #expect(try south.branch.value("SELECT count(*) FROM author") == 1)
  }

  @Test(arguments: [ConflictAnswer.lostValues, .values(["name": .text("F. Herbert")])])
  func `if a foreign key blocks a deletion, a conflict answer can restore the row on all devices`(
    answer: ConflictAnswer
  ) async throws {
    let (north, south) = try await readersWithBlockedDeletion()
    let conflict = try #require(try south.openConflict)
    #expect(conflict.kind == .changeOfDeletedRow)

    try south.engine.resolve(conflict.conflictIdentifier, with: answer)
    try await synchronise(south, north, south)

    let name = if case .values = answer { "F. Herbert" } else { "Frank Herbert" }
    let shown = try north.branch.shown
    #expect(shown == ["\(name):\(name)", "b1:Dune:-:-:0:\(name):\(name)"])
    try expectConverged(north.branch, south.branch)
    #expect(try north.engine.conflicts().isEmpty)
    #expect(try south.engine.conflicts().isEmpty)
    #expect(south.engine.currentStatus.pending == 0)
  }

  @Test
  func `a row that a conflict answer restores retains its reference to a missing row`()
    async throws
  {
    let (north, south) = try await readersWithBlockedDeletion()
    let conflict = try #require(try south.openConflict)
    let mentor: DataIdentifier = "018f0000-0000-7000-8000-000000000009"

    try south.engine.resolve(
      conflict.conflictIdentifier,
      with: .values(["name": .text("F. Herbert"), "mentor": .text(mentor.text)]))
    try await synchronise(south, north)

    let waiting: SQL = "SELECT count(*) FROM sync_unresolved WHERE identifier = \(mentor.text)"
    #expect(try north.branch.value(waiting) == 1)
    #expect(try south.branch.value(waiting) == 1)
    try expectConverged(north.branch, south.branch)
  }

  @Test
  func
    `answering a conflict about a blocked deletion with serverValues leaves the deletion blocked`()
    async throws
  {
    let (_, south) = try await readersWithBlockedDeletion()
    let conflict = try #require(try south.openConflict)

    try south.engine.resolve(conflict.conflictIdentifier, with: .serverValues)
    try await synchronise(south)

    #expect(try south.openConflict == nil)
    #expect(try south.engine.conflicts().count == 1)
    #expect(try south.branch.value("SELECT count(*) FROM author") == 1)

    try south.branch.edit("DELETE FROM book")
    try await synchronise(south)
    #expect(try south.branch.value("SELECT count(*) FROM author") == 0)
    #expect(try south.engine.conflicts().isEmpty)
  }
}
