import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync
import UndercroftSyncEncryption

/// Tests of engines that synchronise encrypted values through a server.
@Suite struct EncryptedSynchronisationTests {
  private let town: EncryptedTown

  init() throws { town = try EncryptedTown() }

  // MARK: Values

  @Test(arguments: [
    "NULL", "0", "-1", "9223372036854775807", "-9223372036854775808", "9007199254740993", "0.0",
    "-0.0", "1.0", "5e-324", "0.1 + 0.2", "9e999", "-9e999", "''", "'Dune'",
    "'a' || char(0) || 'b'",
    "'é' || char(128218)", "CAST(x'61ff' AS TEXT)", "x''", "x'00ff0a'",
  ])
  func `another device receives an encrypted value of any SQLite type with the same type and bytes`(
    value: String
  )
    async throws
  {
    let (north, south) = (try town.branch(), try town.branch())
    let form: SQL = """
      SELECT typeof(mark) || ' ' || CASE typeof(mark) WHEN 'text' THEN hex(mark) ELSE quote(mark) END
      FROM book
      """
    try north.edit("INSERT INTO book(id, mark) VALUES ('b1', \(SQL(unchecked: value)))")

    try await synchronise(north, south)

    let sent: String? = try north.database.fetchValue(form)
    #expect(try south.database.fetchValue(form) as String? == sent)
    #expect(try south.database.fetchValue("SELECT count(*) FROM book") == 1)
    #expect(try south.waiting == [])
  }

  @Test func `the files of the server contain no plain value of an encrypted column`() async throws
  {
    try await withTemporaryDirectory { folder in
      let server = SyncServer.library(store: try SQLiteSyncStore(at: folder))
      let (north, south) = (
        try EncryptedBranch(on: server, town.encryption),
        try EncryptedBranch(on: server, town.encryption)
      )
      try north.edit(
        "INSERT INTO author(id, name) VALUES (1, 'Herbert-secret')",
        "INSERT INTO book(id, title, mark, author) VALUES ('b1', 'Dune-secret', x'5ec2e7', 1)")
      try await synchronise(north, south)
      try south.edit("UPDATE book SET title = 'Emma-secret'")
      try north.edit("UPDATE book SET title = 'Ubik-secret'")
      try await synchronise(south, north, south)
      try south.edit("DELETE FROM book")
      try north.edit("UPDATE book SET note = 'torn-secret'")
      try await synchronise(south, north)

      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let bytes = try files.map { try Data(contentsOf: folder.appending(path: $0)) }
        .reduce(Data(), +)

      #expect(bytes.range(of: Data("$e".utf8)) != nil)
      #expect(bytes.range(of: Data("-secret".utf8)) == nil)
      for plain in ["Herbert-secret", "Dune-secret", "Emma-secret"] {
        #expect(bytes.range(of: Data(Data(plain.utf8).base64EncodedString().utf8)) == nil)
      }
      #expect(bytes.range(of: Data(Data([0x5E, 0xC2, 0xE7]).base64EncodedString().utf8)) == nil)
      #expect(try north.engine.conflicts().count == 2)
    }
  }

  @Test
  func `with encryption, concurrent counter changes add up and reference columns remain valid`()
    async throws
  {
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit(
      "INSERT INTO author(id, name) VALUES (7, 'Austen')",
      "INSERT INTO book(id, title, author, copies) VALUES ('b1', 'Emma', 7, 3)")
    try await synchronise(north, south)

    try north.edit("UPDATE book SET copies = copies + 2")
    try south.edit("UPDATE book SET copies = copies + 10")
    try await synchronise(north, south, north)

    for branch in [north, south] {
      #expect(try branch.database.fetchValue("SELECT copies FROM book") == 15)
      #expect(
        try branch.database.fetchValue(
          "SELECT a.name FROM book b JOIN author a ON a.id = b.author") == "Austen")
    }
  }

  @Test func `the server's validator can read a column that is listed in plainColumns`()
    async throws
  {
    let server = SyncServer(
      store: InMemorySyncStore(),
      validate: { change in
        change.values["note"] == .text("lost")
          ? OperationRejection(code: "lost", message: "a lost book") : nil
      }
    ) { _, _ in .readWrite }
    let north = try EncryptedBranch(
      on: server, try SyncEncryption([.of(1)], plainColumns: ["book": ["note"]]))
    try north.edit("INSERT INTO book(id, title, note) VALUES ('b1', 'Emma', 'lost')")

    try await synchronise(north)

    #expect(try north.engine.conflicts().count == 1)
    #expect(try north.titles == [])
  }

  // MARK: Merging

  @Test func `concurrent changes of different encrypted columns are merged`() async throws {
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Emma')")
    try await synchronise(north, south)

    try north.edit("UPDATE book SET title = 'Dune'")
    try south.edit("UPDATE book SET note = 'torn'")
    try await synchronise(north, south, north)

    for branch in [north, south] {
      #expect(
        try branch.database.fetchValue("SELECT title || note FROM book") == "Dunetorn")
      #expect(try branch.engine.conflicts() == [])
    }
  }

  @Test func `concurrent changes of an encrypted column to the same value cause no conflict`()
    async throws
  {
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Emma')")
    try await synchronise(north, south)

    try north.edit("UPDATE book SET title = 'Dune'")
    try south.edit("UPDATE book SET title = 'Dune'")
    try await synchronise(north, south, north)

    #expect(try north.titles == ["Dune"])
    #expect(try north.engine.conflicts() == [])
    #expect(try south.engine.conflicts() == [])
  }

  @Test func `a device decrypts the values that lost a conflict`() async throws {
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Emma')")
    try await synchronise(north, south)

    try north.edit("UPDATE book SET title = 'north'")
    try south.edit("UPDATE book SET title = 'south'")
    try await synchronise(north, south, north)

    let conflicts = try north.engine.conflicts() + south.engine.conflicts()
    let lost = conflicts.compactMap { conflict -> SyncValue? in
      guard case .lost(let conflict) = conflict else { return nil }
      return conflict.values["title"]?.value
    }
    // The devices estimate the time of the server, so either change can be the later one.
    let titles = try north.titles
    #expect(try south.titles == titles)
    #expect(Set(lost) == [.text(titles == ["south"] ? "north" : "south")])
    let explained = try [north, south].flatMap { try $0.engine.explain("b1", in: "book").conflicts }
    #expect(explained.map { $0.conflict.values["title"]?.value } == lost)
  }

  @Test func `a custom conflict policy can choose one of two encrypted values`() async throws {
    let server = SyncServer.library(TablePolicy(.custom { .value($0.remote.value) }))
    let (north, south) = (
      try EncryptedBranch(on: server, town.encryption),
      try EncryptedBranch(on: server, town.encryption)
    )
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Emma')")
    try await synchronise(north, south)

    try north.edit("UPDATE book SET title = 'north'")
    try south.edit("UPDATE book SET title = 'south'")
    try await synchronise(north, south, north)

    #expect(try north.titles == ["north"])
    #expect(try south.titles == ["north"])
  }

  // MARK: Keys

  @Test func `after a key is added, new values use the new key and old values remain readable`()
    async throws
  {
    let (north, south) = (try town.branch(), try town.branch(try SyncEncryption([.of(1)])))
    try north.edit("INSERT INTO book(id, title, note) VALUES ('b1', 'Emma', 'old')")
    try await synchronise(north, south)

    try town.encryption.add(.of(2, number: 2))
    try north.edit("UPDATE book SET title = 'Dune'")
    try await synchronise(north, south)

    #expect(try south.titles == ["Emma"])
    #expect(
      try south.waiting == [
        "cannot decrypt the column \"title\" of the row \"b1\" of the table \"book\": "
          + "the encryption key 2 is not available"
      ])
    let late = try town.branch(try SyncEncryption([.of(1), .of(2, number: 2)]))
    try await synchronise(late)
    #expect(try late.database.fetchValue("SELECT title || note FROM book") == "Duneold")
  }

  @Test func `a pulled row whose encryption key was missing can be applied after the key is added`()
    async throws
  {
    let late = try SyncEncryption()
    let (north, south) = (try town.branch(), try town.branch(late))
    try north.edit(
      "INSERT INTO author(id, name) VALUES (7, 'Austen')",
      "INSERT INTO book(id, title, author) VALUES ('b1', 'Emma', 7)")
    try await synchronise(north, south)
    #expect(try south.titles == [])
    #expect(try south.waiting.count == 2)
    #expect(south.engine.currentStatus.conflicts == 2)

    try late.add(.of(1))
    try await south.engine.retry()

    #expect(try south.waiting == [])
    #expect(
      try south.database.fetchValue(
        "SELECT title || name FROM book b JOIN author a ON a.id = b.author") == "EmmaAusten")
  }

  @Test func `without an encryption key, a synchronisation throws wrongKey and sends no changes`()
    async throws
  {
    let late = try SyncEncryption()
    let north = try town.branch(late)
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Emma')")

    let error = await #expect(throws: StorageError.self) { try await north.engine.sync() }

    #expect(error?.code == .wrongKey)
    #expect(north.engine.currentStatus.lastError?.code == .wrongKey)
    #expect(north.engine.currentStatus.pending == 1)
    try late.add(.of(1))
    #expect(try await north.engine.retry().pushed == 1)
  }

  @Test
  func `a local change is not lost while a pulled version of its row waits for an encryption key`()
    async throws
  {
    let late = try SyncEncryption([.of(1)])
    let (north, south) = (try town.branch(), try town.branch(late))
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Emma')")
    try await synchronise(north, south)
    try town.encryption.add(.of(2, number: 2))
    try north.edit("UPDATE book SET title = 'Dune'")
    try await synchronise(north, south)

    try south.edit("UPDATE book SET note = 'torn'")
    try await synchronise(south)
    try late.add(.of(2, number: 2))
    try await synchronise(south, north)

    for branch in [north, south] {
      #expect(try branch.database.fetchValue("SELECT title || note FROM book") == "Dunetorn")
    }
  }

  @Test func `a device without a cipher lists pulled encrypted rows as conflicts`() async throws {
    let north = try town.branch()
    let plain = try EncryptedBranch(on: town.server, nil)
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Emma')")

    try await synchronise(north, plain)

    #expect(try plain.titles == [])
    #expect(try plain.waiting.count == 1)
    #expect(
      try plain.waiting.allSatisfy {
        $0.hasSuffix("is encrypted, but the SyncEngine has no cipher")
      })
  }

  @Test func `unencrypted values are applied only if SyncEncryption.acceptsPlainValues is true`()
    async throws
  {
    let plain = try EncryptedBranch(on: town.server, nil)
    try plain.edit("INSERT INTO book(id, title) VALUES ('b1', 'Emma')")
    let strict = try town.branch()
    let tolerant = try town.branch(try SyncEncryption([.of(1)], acceptsPlainValues: true))

    try await synchronise(plain, strict, tolerant)

    #expect(try strict.titles == [])
    #expect(try strict.waiting.count == 1)
    #expect(try tolerant.titles == ["Emma"])
    try tolerant.edit("UPDATE book SET title = 'Dune', note = 'n', mark = 1")
    try await synchronise(tolerant, strict)
    #expect(try strict.titles == ["Dune"])
    #expect(try strict.waiting == [])
  }
}
