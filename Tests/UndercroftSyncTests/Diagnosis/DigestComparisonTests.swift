import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct DigestComparisonTests {
  @Test
  func `a digest comparison first pulls missing changes, so outdated rows are not differences`()
    async throws
  {
    let (north, south) = try await readersWithBooks()
    try north.branch.edit("DELETE FROM book WHERE id = 'b2'")
    try await north.engine.sync()

    let comparison = try await south.engine.compareDigests()

    #expect(comparison.areEqual)
    #expect(comparison.localRows == 3)
    #expect(comparison.differences == [])
    #expect("\(comparison)" == "version \(comparison.version): 3 rows are equal")
  }

  @Test
  func `a digest comparison with the server does not report unsent changes as differences`()
    async throws
  {
    let (north, south) = try await readersWithBooks()
    south.courier.set(
      .isSlow { try south.branch.edit("UPDATE book SET title = 'unsent'", "DELETE FROM author") },
      for: .digest)
    _ = north

    let comparison = try await south.engine.compareDigests()

    #expect(comparison.areEqual)
    #expect(try await south.engine.compareDigests().areEqual)
  }

  @Test
  func `a digest comparison with the server ignores pulled rows that violate a local constraint`()
    async throws
  {
    let town = Town()
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try north.branch.edit("INSERT INTO book(id, isbn) VALUES ('b1', '1')")
    try south.branch.edit("INSERT INTO book(id, isbn) VALUES ('b2', '1')")
    for reader in [north, south] { try await reader.engine.sync() }

    #expect(try await south.engine.compareDigests().areEqual)
  }

  @Test func `a digest comparison lists the rows whose versions differ between device and server`()
    async throws
  {
    let (_, south) = try await readersWithBooks()
    try south.branch.database.write { db in
      try db.execute("UPDATE sync_record SET version = 1000 WHERE primary_key = 'b1'")
      try db.execute("DELETE FROM sync_record WHERE primary_key = 'b2'")
      try db.execute(
        "INSERT INTO sync_record(table_id, primary_key, version) VALUES (2, 'b9', 2000)")
    }

    let comparison = try await south.engine.compareDigests()

    #expect(!comparison.areEqual)
    #expect(comparison.differences.map(\.dataIdentifier) == ["b1", "b2", "b9"])
    #expect(comparison.differences.map(\.localVersion) == [1000, nil, 2000])
    #expect(comparison.differences.map { $0.serverVersion != nil } == [true, true, false])
    #expect("\(comparison)".contains("book/b9: version 2000 here, none on the server"))
    #expect(try south.branch.books == ["b1", "b2", "b3"])
  }

  @Test
  func `comparing digests with the server throws misuse if the sync engine only sends changes`()
    async throws
  {
    let reader = try Reader(in: Town(), direction: .oneWay)

    let error = await #expect(throws: StorageError.self) {
      try await reader.engine.compareDigests()
    }

    #expect(error?.code == .misuse)
  }

  @Test
  func `comparing digests throws unavailable if the server's rows change during each attempt`()
    async throws
  {
    let (north, south) = try await readersWithBooks()
    south.courier.set(
      .answers(#"{"at":99,"count":0,"protocol":1,"sum":"0000000000000000"}"#), for: .digest)
    _ = north

    let error = await #expect(throws: StorageError.self) {
      try await south.engine.compareDigests()
    }

    #expect(error?.code == .unavailable)
  }

  @Test func `an unreadable answer to a digest comparison is an error that names the scope`()
    async throws
  {
    let (_, south) = try await readersWithBooks()
    south.courier.set(.answers("<html>404</html>"), for: .digest)

    await #expect { try await south.engine.compareDigests() } throws: { error in
      "\(error)".contains("cannot synchronise the scope \"town\"")
    }
  }

  /// Returns two devices that have synchronised three books and an author.
  private func readersWithBooks() async throws -> (Reader, Reader) {
    let town = Town()
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try north.branch.edit(
      "INSERT INTO author(id, name) VALUES (7, 'Austen')",
      "INSERT INTO book(id, title) VALUES ('b1', 'Dune'), ('b2', 'Emma'), ('b3', 'Ilias')")
    for reader in [north, south] { try await reader.engine.sync() }
    return (north, south)
  }
}
