import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct ConflictAnswerTests {
  @Test func `the answer serverValues closes a conflict on all devices`()
    async throws
  {
    let town = Town(TablePolicy(.ask))
    let (north, south) = try await readersWithConflict(in: town)
    let conflict = try #require(try south.openConflict)

    try south.engine.resolve(conflict.conflictIdentifier, with: .serverValues)
    try await synchronise(south, north)

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.title() == "north")
    #expect(try north.engine.conflicts().isEmpty)
    #expect(try south.engine.conflicts().isEmpty)
    #expect(south.engine.currentStatus.conflicts == 0)
  }

  @Test
  func `answering a conflict with lostValues restores the lost values before the answer is sent`()
    async throws
  {
    let town = Town(TablePolicy(.ask))
    let (north, south) = try await readersWithConflict(in: town)
    let conflict = try #require(try south.openConflict)

    let operation = try south.engine.resolve(conflict.conflictIdentifier, with: .lostValues)

    #expect(try south.branch.title() == "south")
    #expect(try south.dirty == [operation.text])
    #expect(try north.openConflict != nil)
    try await synchronise(south, north)
    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.title() == "south")
    #expect(try north.engine.conflicts().isEmpty)
  }

  @Test(arguments: ["", String(repeating: "x", count: 2000)])
  func `a conflict about a row whose key is no valid identifier can be answered`(
    key: String
  ) async throws {
    let reader = try Reader(in: Town())
    try await reader.engine.sync()
    try reader.branch.edit("INSERT INTO book(id, title) VALUES (\(key), 'Dune')")
    try await reader.engine.sync()
    let conflict = try #require(try reader.openConflict)

    #expect(conflict.dataIdentifier == DataIdentifier(key))
    #expect(conflict.values["title"]?.value == .text("Dune"))
    try reader.engine.resolve(conflict.conflictIdentifier, with: .serverValues)
    try await reader.engine.sync()

    #expect(try reader.engine.conflicts().isEmpty)
    #expect(reader.engine.currentStatus.pending == 0)
  }

  @Test func `answering a conflict writes the values of the answer to the row`() async throws {
    let town = Town(TablePolicy(.ask))
    let (north, south) = try await readersWithConflict(in: town)
    let conflict = try #require(try north.openConflict)

    try north.engine.resolve(
      conflict.conflictIdentifier,
      with: .values(["title": .text("both"), "note": .text("asked"), "copies": .integer(3)]))
    try await synchronise(north, south)

    try expectConverged(north.branch, south.branch)
    #expect(try south.branch.title() == "both")
    #expect(try south.branch.copies() == 3)
    #expect(try south.engine.conflicts().isEmpty)
  }

  @Test func `the answer lostValues to the open conflict of a deletion deletes the row`()
    async throws
  {
    let town = Town(TablePolicy(.ask))
    let (north, south) = try await readersWithBook(in: town)
    try north.branch.edit("UPDATE book SET title = 'north'")
    try south.branch.edit("DELETE FROM book")
    try await synchronise(north, south, north)
    let conflict = try #require(try south.openConflict)
    #expect(conflict.change == .delete)
    #expect(try south.branch.books == ["b1"])

    try south.engine.resolve(conflict.conflictIdentifier, with: .lostValues)
    try await synchronise(south, north)

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.books.isEmpty)
    #expect(try north.engine.conflicts().isEmpty)
  }

  @Test func `answering a conflict can restore values that a later change has overwritten`()
    async throws
  {
    let town = Town()
    let (north, south) = try await readersWithBook(in: town)
    try south.branch.edit("UPDATE book SET title = 'earlier'")
    try north.branch.edit("UPDATE book SET title = 'later'")
    try await synchronise(north, south, north)
    let conflict = try #require(try south.openConflict)

    try south.engine.resolve(conflict.conflictIdentifier, with: .lostValues)
    try await synchronise(south, north)

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.title() == "earlier")
    #expect(try north.engine.conflicts().isEmpty)
  }

  // MARK: Late answers

  @Test func `with the policy ask, an answer opens a new conflict if the row has changed again`()
    async throws
  {
    let town = Town(TablePolicy(.ask))
    let (north, south) = try await readersWithConflict(in: town)
    let conflict = try #require(try south.openConflict)
    try north.branch.edit("UPDATE book SET title = 'newer'")
    try await north.engine.sync()

    try south.engine.resolve(
      conflict.conflictIdentifier, with: .values(["title": .text("both")]))
    try await synchronise(south, north)

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.title() == "newer")
    for reader in [north, south] {
      let open = try reader.engine.conflicts()
      #expect(open.count == 1)
      #expect(try reader.openConflict?.values["title"]?.value == .text("both"))
    }
  }

  @Test func `answering a conflict with lostValues reinserts a row whose deletion was pulled`()
    async throws
  {
    let town = Town(TablePolicy(.ask, deletion: .deleteWins))
    let (north, south) = try await readersWithConflict(in: town)
    let conflict = try #require(try south.openConflict)
    try north.branch.edit("DELETE FROM book")
    try await synchronise(north, south)
    #expect(try south.branch.books.isEmpty)

    try south.engine.resolve(conflict.conflictIdentifier, with: .lostValues)
    try await synchronise(south, north)

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.title() == "south")
    #expect(try north.engine.conflicts().isEmpty)
  }

  @Test
  func `answering a conflict with serverValues closes the conflict even if its row was deleted`()
    async throws
  {
    let town = Town(TablePolicy(.ask, deletion: .deleteWins))
    let (north, south) = try await readersWithConflict(in: town)
    let conflict = try #require(try south.openConflict)
    try north.branch.edit("DELETE FROM book")
    try await synchronise(north, south)

    try south.engine.resolve(conflict.conflictIdentifier, with: .serverValues)
    try await synchronise(south, north)

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.books.isEmpty)
    #expect(try north.engine.conflicts().isEmpty)
    #expect(try south.branch.value("SELECT count(*) FROM sync_record") == 0)
  }

  @Test
  func `answering a conflict with lostValues does not reset counter columns of an existing row`()
    throws
  {
    let town = Town()
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit("INSERT INTO book(id, copies) VALUES ('b1', 4)")
    try north.sync()
    try south.sync()
    try south.edit("DELETE FROM book")
    try north.edit("UPDATE book SET copies = 14")
    try north.sync()
    try north.edit("UPDATE book SET copies = 114")
    try south.sync()
    try north.download()
    guard case .lost(let conflict)? = try north.replica.openConflicts().first else {
      Issue.record("the deletion has caused no conflict")
      return
    }
    #expect(conflict.values["copies"]?.value == .integer(14))

    _ = try north.replica.answer(conflict.conflictIdentifier, with: .lostValues)

    #expect(try north.copies() == 114)
  }

  // MARK: Several answers

  @Test
  func `if two devices give the same answer to a conflict, the second answer changes nothing`()
    async throws
  {
    let town = Town(TablePolicy(.ask))
    let (north, south) = try await readersWithConflict(in: town)
    let conflict = try #require(try south.openConflict)

    for reader in [north, south] {
      try reader.engine.resolve(conflict.conflictIdentifier, with: .lostValues)
    }
    try await synchronise(south, north, south)

    try expectConverged(north.branch, south.branch)
    #expect(try north.branch.title() == "south")
    #expect(try north.engine.conflicts().isEmpty)
    #expect(try south.engine.conflicts().isEmpty)
  }

  @Test
  func `if two devices answer a conflict differently, the second answer becomes a new conflict`()
    async throws
  {
    let town = Town(TablePolicy(.ask))
    let (north, south) = try await readersWithConflict(in: town)
    let conflict = try #require(try south.openConflict)
    try north.engine.resolve(conflict.conflictIdentifier, with: .values(["title": .text("first")]))
    try south.engine.resolve(conflict.conflictIdentifier, with: .values(["title": .text("second")]))

    try await synchronise(north, south, north)

    try expectConverged(north.branch, south.branch)
    #expect(try south.branch.title() == "first")
    #expect(try north.openConflict?.values["title"]?.value == .text("second"))
    #expect(try north.engine.conflicts().count == 1)
  }

  @Test
  func `answering a conflict throws misuse if the device already knows an answer to the conflict`()
    async throws
  {
    let town = Town(TablePolicy(.ask))
    let (north, south) = try await readersWithConflict(in: town)
    let conflict = try #require(try south.openConflict)
    try south.engine.resolve(conflict.conflictIdentifier, with: .lostValues)

    expectMisuse("the conflict already has an answer") {
      try south.engine.resolve(conflict.conflictIdentifier, with: .serverValues)
    }

    #expect(try south.branch.title() == "south")
    try await synchronise(south, north)
    expectMisuse("the conflict already has an answer") {
      try north.engine.resolve(conflict.conflictIdentifier, with: .serverValues)
    }
  }

  @Test
  func `an answer to a conflict is sent again and applied once if the server's result is lost`()
    async throws
  {
    let town = Town(TablePolicy(.ask))
    let (north, south) = try await readersWithConflict(in: town)
    let conflict = try #require(try south.openConflict)
    try south.engine.resolve(conflict.conflictIdentifier, with: .lostValues)
    south.courier.set(.losesAnswer, for: .push)
    await #expect(throws: StorageError.self) { try await south.engine.sync() }
    let head = try town.server.head(of: Town.scope)
    south.courier.set(nil, for: .push)

    try await synchronise(south, north)

    try expectConverged(north.branch, south.branch)
    #expect(try town.server.head(of: Town.scope) == head)
    #expect(try north.engine.conflicts().isEmpty)
  }

  @Test
  func `after a conflict is answered, a later change of the row is sent as a separate operation`()
    async throws
  {
    let town = Town(TablePolicy(.ask))
    let (_, south) = try await readersWithConflict(in: town)
    let conflict = try #require(try south.openConflict)

    try south.engine.resolve(conflict.conflictIdentifier, with: .lostValues)
    try south.branch.edit("UPDATE book SET note = 'later'")
    try south.branch.seal()

    let sent = try south.branch.sent
    #expect(sent.map(\.resolves) == [conflict.conflictIdentifier, nil])
    #expect(sent.map(\.change.values) == [["title": .text("south")], ["note": .text("later")]])
  }

  // MARK: Wrong answers

  @Test func `answering an unknown conflict or setting an unsynchronised column throws misuse`()
    async throws
  {
    let town = Town(TablePolicy(.ask))
    let (_, south) = try await readersWithConflict(in: town)
    let conflict = try #require(try south.openConflict)

    expectMisuse("no such conflict") {
      try south.engine.resolve("c0", with: .serverValues)
    }
    for column in ["pages", "id", "draft"] as [ExactString] {
      expectMisuse("no synchronised column") {
        try south.engine.resolve(
          conflict.conflictIdentifier, with: .values([column: .integer(1)]))
      }
    }

    #expect(try south.openConflict == conflict)
    #expect(try south.dirty.isEmpty)
  }

  @Test func `if an answer's values violate a constraint, answering throws and changes nothing`()
    async throws
  {
    let town = Town(TablePolicy(.ask))
    let (_, south) = try await readersWithConflict(in: town)
    let conflict = try #require(try south.openConflict)

    let error = #expect(throws: StorageError.self) {
      try south.engine.resolve(
        conflict.conflictIdentifier,
        with: .values(["title": .text("both"), "copies": .integer(-1000)]))
    }

    #expect(error?.code == .constraintViolated)
    #expect(try south.branch.title() == "north")
    #expect(try south.openConflict == conflict)
    #expect(try south.dirty.isEmpty)
  }

  @Test func `answering the conflict of a pulled row that violates a constraint throws misuse`()
    async throws
  {
    let town = Town()
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try north.branch.edit("INSERT INTO book(id, isbn) VALUES ('b1', '1')")
    try south.branch.edit("INSERT INTO book(id, isbn) VALUES ('b2', '1')")
    try await synchronise(north, south)
    let identifier: String = try south.branch.value(
      "SELECT conflict_id FROM sync_conflict WHERE kind = 'blocked'")

    expectMisuse("a row of the server that cannot be applied to this database") {
      try south.engine.resolve(ConflictIdentifier(identifier), with: .serverValues)
    }
  }

  // MARK: Helpers

  private func expectMisuse(
    _ reason: String, _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == .misuse, sourceLocation: sourceLocation)
    #expect(error?.failure.contains(reason) == true, "\(error)", sourceLocation: sourceLocation)
  }

  private func readersWithBook(in town: Town) async throws -> (Reader, Reader) {
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try north.branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try await synchronise(north, south)
    return (north, south)
  }

  /// Returns two devices that have changed the same title.
  ///
  /// The second device has a conflict, because its title "south" waits for the user's answer.
  private func readersWithConflict(in town: Town) async throws -> (Reader, Reader) {
    let (north, south) = try await readersWithBook(in: town)
    try north.branch.edit("UPDATE book SET title = 'north'")
    try south.branch.edit("UPDATE book SET title = 'south'")
    try await synchronise(north, south, north, south)
    return (north, south)
  }
}

extension Reader {
  /// The first conflict about lost values that the engine returns, or `nil` if there is none.
  var openConflict: SyncConflict? {
    get throws {
      try engine.conflicts().lazy.compactMap { conflict in
        if case .lost(let conflict) = conflict { conflict } else { nil }
      }.first
    }
  }
}
