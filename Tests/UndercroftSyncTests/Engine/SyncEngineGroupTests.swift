import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of transactions whose changes the server applies together or not at all.
@Suite struct SyncEngineGroupTests {
  private let town = Town()

  /// Returns two readers with the books "b1" and "b2", of which the first has ten copies.
  private func readers() async throws -> (north: Reader, south: Reader) {
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try north.branch.edit(
      "INSERT INTO book(id, title, copies) VALUES ('b1', 'Dune', 10), ('b2', 'Emma', 0)")
    for reader in [north, south] { try await reader.engine.sync() }
    return (north, south)
  }

  /// Changes the titles of both books in a group, one second after the last change.
  private func rename(_ reader: Reader, to title: String) throws {
    town.clock.advance()
    try reader.engine.writeGroup { db in
      try db.execute("UPDATE sync_clock SET wall_ms = \(town.clock.now)")
      try db.execute("UPDATE book SET title = \(title) WHERE id = 'b1'")
      try db.execute("UPDATE book SET title = \(title) WHERE id = 'b2'")
      try db.execute("UPDATE sync_clock SET wall_ms = NULL")
    }
  }

  @Test
  func `the server applies all changes of an atomic group if the server rejects none of them`()
    async throws
  {
    let (north, south) = try await readers()

    try rename(north, to: "Ubik")
    for reader in [north, south] { try await reader.engine.sync() }

    #expect(try south.branch.title("b1") == "Ubik")
    #expect(try south.branch.title("b2") == "Ubik")
    let groups = try north.courier.packets.flatMap(\.operations).compactMap(\.group)
    #expect(groups.count == 2)
    #expect(Set(groups).count == 1)
  }

  @Test
  func `if another device has deleted a row of an atomic group, the server rejects the group`()
    async throws
  {
    let (north, south) = try await readers()
    try rename(north, to: "Ubik")
    try south.branch.edit("DELETE FROM book WHERE id = 'b2'")

    for reader in [south, north, south] { try await reader.engine.sync() }

    for reader in [north, south] {
      #expect(try reader.branch.books == ["b1"])
      #expect(try reader.branch.title("b1") == "Dune")
    }
    let kinds = try north.engine.conflicts().compactMap { conflict in
      if case .lost(let lost) = conflict { lost.kind } else { nil }
    }
    #expect(Set(kinds) == [.changeOfDeletedRow, .groupAborted])
  }

  @Test
  func `a change after an atomic group belongs to no group, even if writing the group threw`()
    async throws
  {
    let (north, _) = try await readers()
    try rename(north, to: "Ubik")
    let failure = StorageError(.misuse, "the reader has changed the plan", backend: "test")
    #expect(throws: StorageError.self) {
      try north.engine.writeGroup { db in
        try db.execute("UPDATE book SET title = 'Emma II' WHERE id = 'b2'")
        throw failure
      }
    }
    #expect(try north.branch.title("b2") == "Ubik")

    try north.branch.edit("UPDATE book SET note = 'torn' WHERE id = 'b2'")
    try await north.engine.sync()

    let sent = try north.courier.packets.flatMap(\.operations).suffix(3)
    #expect(sent.map { $0.group == nil } == [false, false, true])
  }

  @Test
  func `an atomic group that is written inside another group becomes part of the outer group`()
    async throws
  {
    let (north, _) = try await readers()

    try north.engine.writeGroup { db in
      try db.execute("UPDATE book SET note = 'old' WHERE id = 'b1'")
      try north.engine.writeGroup { db in
        try db.execute("UPDATE book SET note = 'old' WHERE id = 'b2'")
      }
    }
    try await north.engine.sync()

    let groups = try north.courier.packets.flatMap(\.operations).suffix(2).map(\.group)
    #expect(groups.count == 2)
    #expect(groups[0] != nil)
    #expect(groups[0] == groups[1])
  }

  @Test
  func `writing an atomic group that exceeds one packet throws tooLarge and changes nothing`()
    async throws
  {
    let reader = try Reader(in: town)
    try await reader.engine.sync()

    let error = #expect(throws: StorageError.self) {
      try reader.engine.writeGroup { db in
        try db.execute(
          """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 501)
          INSERT INTO book(id) SELECT 'b' || i FROM n
          """)
      }
    }

    #expect(error?.code == .tooLarge)
    #expect(error?.message.contains("has 501 operations") == true)
    #expect(try reader.branch.books.isEmpty)
    #expect(try reader.dirty.isEmpty)
  }
}
