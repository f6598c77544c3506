import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct RecordExplanationTests {
  @Test
  func `an explanation of a row contains its server values, local operations and current values`()
    async throws
  {
    let (north, _) = try await readersWithBook(in: Town())
    try north.branch.edit("UPDATE book SET title = 'Emma' WHERE id = 'b1'")
    try north.branch.seal()
    try north.branch.edit("UPDATE book SET note = 'torn', copies = 3 WHERE id = 'b1'")
    let before: Int = try north.branch.value("SELECT count(*) FROM sync_to_sync")

    let row = try north.engine.explain("b1", in: "book")

    #expect(row.version == 1)
    #expect(row.serverValues?["title"] == .text("Dune"))
    #expect(row.operations.map(\.progress) == [.sent, .captured])
    #expect(row.operations.map(\.values) == [["title": .text("Emma")], ["note": .text("torn")]])
    #expect(row.operations.last?.increments == ["copies": 3])
    #expect(row.visibleValues?["title"] == .text("Emma"))
    #expect(row.visibleValues?["note"] == .text("torn"))
    #expect(try north.branch.value("SELECT count(*) FROM sync_to_sync") == before)
    #expect(
      try north.branch.value("SELECT count(*) FROM sync_to_sync WHERE state = 'pending'") == 1)
  }

  @Test func `an explanation lists a deletion and a later insertion of a row as two operations`()
    throws
  {
    let reader = try Reader(in: Town())
    try reader.branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try reader.branch.seal()
    try reader.branch.edit("DELETE FROM book", "INSERT INTO book(id, title) VALUES ('b1', 'Emma')")

    let row = try reader.engine.explain("b1", in: "book")

    #expect(row.version == 0)
    #expect(row.serverValues == nil)
    #expect(row.operations.map(\.kind) == [.insert, .delete, .insert])
    #expect(row.visibleValues?["title"] == .text("Emma"))
  }

  @Test
  func `an explanation of a row names the policy that decided each conflict and the user's answer`()
    async throws
  {
    let (north, south) = try await readersWithBook(in: Town(TablePolicy(.ask)))
    try north.branch.edit("UPDATE book SET title = 'north'")
    try south.branch.edit("UPDATE book SET title = 'south'")
    for reader in [north, south] { try await reader.engine.sync() }
    let open = try south.engine.explain("b1", in: "book")

    let conflict = try #require(open.conflicts.first)
    let answer = try south.engine.resolve(
      conflict.conflict.conflictIdentifier, with: .serverValues)
    let answered = try south.engine.explain("b1", in: "book")

    #expect(conflict.conflict.policy == "ask")
    #expect(conflict.answer == nil)
    #expect("\(open)".contains("decided by the policy ask, open: lost title \"south\""))
    #expect(answered.conflicts.first?.answer == answer)
    #expect(
      answered.operations.map(\.resolves) == [conflict.conflict.conflictIdentifier])
  }

  @Test
  func `an explanation of a pulled row that cannot be applied contains the values and the reason`()
    async throws
  {
    let town = Town()
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try north.branch.edit("INSERT INTO book(id, isbn) VALUES ('b1', '1')")
    try south.branch.edit("INSERT INTO book(id, isbn) VALUES ('b2', '1')")
    for reader in [north, south] { try await reader.engine.sync() }

    let row = try south.engine.explain("b1", in: "book")

    #expect(row.visibleValues == nil)
    #expect(row.blocked?.values?["isbn"] == .text("1"))
    #expect("\(row)".contains("waiting: version 1, because the row violates"))
  }

  @Test func `the description of an explanation has a line for each operation of the row`()
    async throws
  {
    let (north, _) = try await readersWithBook(in: Town())
    try north.engine.perform(
      .update("book", where: .all([]), ["note": .null, "isbn": .text("7")]))

    let lines = try north.engine.explain("b1", in: "book").description.split(separator: "\n")

    #expect(lines.count == 4)
    #expect(lines[0] == "book/b1")
    #expect(lines[1].hasPrefix("  server: version 1, author NULL, copies 0, isbn NULL"))
    #expect(lines[2].hasSuffix(", update, ready, part of a batch: isbn \"7\", note NULL"))
    #expect(lines[3].contains("isbn \"7\""))
  }

  @Test func `an explanation of a row that does not exist contains no values`() throws {
    let reader = try Reader(in: Town())

    let row = try reader.engine.explain("b9", in: "book")

    #expect(row.serverValues == nil)
    #expect(row.visibleValues == nil)
    #expect(
      "\(row)"
        == "book/b9\n  server: no row was pulled, or its deletion was pulled\n  visible: no row")
  }

  @Test func `the identifier of a row with an integer key is the same on all devices`()
    async throws
  {
    let (north, south) = try await readersWithBook(in: Town())
    try south.branch.edit("INSERT INTO author(id, name) VALUES (7, 'Homer')")
    try north.branch.edit("INSERT INTO author(id, name) VALUES (7, 'Austen')")
    for reader in [north, south] { try await reader.engine.sync() }
    let key: Int64 = try south.branch.value("SELECT id FROM author WHERE name = 'Austen'")

    let identifier = try #require(try north.engine.identifier(ofKey: .integer(7), in: "author"))

    #expect(try south.engine.identifier(ofKey: .integer(key), in: "author") == identifier)
    let row = try south.engine.explain(identifier, in: "author")
    #expect(row.visibleValues?["name"] == .text("Austen"))
  }

  @Test func `the identifier of a row with a text key is the key`() async throws {
    let (north, _) = try await readersWithBook(in: Town())

    #expect(try north.engine.identifier(ofKey: .text("b1"), in: "book") == "b1")
  }

  @Test func `a missing or deleted row has no identifier`() async throws {
    let (north, _) = try await readersWithBook(in: Town())
    try north.branch.edit("DELETE FROM book")

    #expect(try north.engine.identifier(ofKey: .text("b1"), in: "book") == nil)
    #expect(try north.engine.identifier(ofKey: .text("b9"), in: "book") == nil)
    #expect(try north.engine.identifier(ofKey: .integer(1), in: "author") == nil)
  }

  @Test func `requesting an identifier of a table that is not synchronised throws misuse`() throws {
    let reader = try Reader(in: Town())

    let error = #expect(throws: StorageError.self) {
      try reader.engine.identifier(ofKey: .integer(1), in: "loan")
    }

    #expect(error?.code == .misuse)
  }

  @Test func `explaining a row of a table that is not synchronised throws misuse`() throws {
    let reader = try Reader(in: Town())

    let error = #expect(throws: StorageError.self) { try reader.engine.explain("b1", in: "loan") }

    #expect(error?.code == .misuse)
  }

  private func readersWithBook(in town: Town) async throws -> (Reader, Reader) {
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try north.branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    for reader in [north, south] { try await reader.engine.sync() }
    return (north, south)
  }
}
