import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftSync

// The code of Docs/Guides/Syncing.md.

private let libraryTables = [SyncedTable("book", counters: ["loans"])]

private func makeServer(in folder: URL) throws -> SyncServer {
  let store = try SQLiteSyncStore(at: folder.appending(path: "server"))
  return SyncServer(store: store, tables: libraryTables) { account, scope in
    scope.text == "library:\(account)" ? .readWrite : .none
  }
}

private func openDevice(
  _ name: String, in folder: URL, _ server: SyncServer
) throws -> (database: Database, engine: SyncEngine) {
  let database = try Database(at: folder.appending(path: "\(name).sqlite"))
  try database.execute(
    """
    CREATE TABLE IF NOT EXISTS book(
      id TEXT PRIMARY KEY NOT NULL, title TEXT, loans INTEGER NOT NULL DEFAULT 0)
    """)
  let engine = try SyncEngine(
    database, scope: "library:ann", account: "ann", tables: libraryTables,
    peer: server.peer(account: "ann"))
  return (database, engine)
}

private func exchange(in folder: URL) async throws -> [String] {
  let server = try makeServer(in: folder)
  let (phone, desk) = (
    try openDevice("phone", in: folder, server), try openDevice("desk", in: folder, server)
  )
  try phone.database.execute("INSERT INTO book VALUES (\(UUID().uuidString), 'Emma', 0)")
  try await phone.engine.sync()
  try await desk.engine.sync()
  return try desk.database.fetchAll("SELECT title FROM book") { row in try row[0] }  // ["Emma"]
}

private let policies = [
  SyncedTable(
    "book", counters: ["loans"],
    policy: TablePolicy(columns: ["note": .ask, "tags": .custom(union)], deletion: .updateWins)),
  SyncedTable("price", policy: TablePolicy(.serverWins)),
  SyncedTable("address", policy: TablePolicy(.lastWriterWinsRecord)),
]

private nonisolated func union(_ conflict: FieldConflict) -> FieldResolution {
  guard case .text(let local) = conflict.local.value, case .text(let remote) = conflict.remote.value
  else { return .ask }
  let tags = Set((local + " " + remote).split(separator: " "))
  return .value(.text(tags.sorted().joined(separator: " ")))
}

private func texts(of conflicts: [OpenConflict]) -> [String] {
  conflicts.map { conflict in
    switch conflict {
    case .lost(let lost):
      "\(lost.table) \(lost.dataIdentifier): \(lost.kind) \(lost.values.keys.sorted())"
    case .blocked(let row): "\(row.table) \(row.dataIdentifier): \(row.reason)"
    }
  }
}

private func answerFirst(_ engine: SyncEngine) throws {
  guard case .lost(let conflict)? = try engine.conflicts().first else { return }
  try engine.resolve(conflict.conflictIdentifier, with: .lostValues)
}

private func correctTitles(_ engine: SyncEngine) throws {
  try engine.perform(
    .update("book", where: .column("title", .equal, .text("Ema")), ["title": .text("Emma")]))
}

private func makeValidatingServer() -> SyncServer {
  SyncServer(
    store: InMemorySyncStore(), tables: libraryTables,
    schema: SchemaWindow(minimumPull: 1, minimumPush: 2, current: 3),
    validate: { change in
      guard change.values["title"] == .text("") else { return nil }
      return OperationRejection(code: "no_title", message: "a book needs a title")
    }, access: { _, _ in .readWrite })
}

@Suite(.timeLimit(.hangLimit)) struct SyncingGuideTests {
  @Test func `a book that one device inserts arrives on another device`() async throws {
    try await withTemporaryDirectory { folder in
      let titles = try await exchange(in: folder)

      #expect(titles == ["Emma"])
    }
  }

  @Test
  func `the server applies a conditional update even to rows unknown to the sending device`()
    async throws
  {
    try await withTemporaryDirectory { folder in
      let server = try makeServer(in: folder)
      let (phone, desk) = (
        try openDevice("phone", in: folder, server), try openDevice("desk", in: folder, server)
      )
      try phone.database.execute("INSERT INTO book VALUES ('b1', 'Ema', 0)")
      try await phone.engine.sync()
      try desk.database.execute("INSERT INTO book VALUES ('b2', 'Ema', 0)")

      try correctTitles(desk.engine)
      for engine in [desk.engine, phone.engine] { try await engine.sync() }

      let titles: [String] = try phone.database.fetchAll("SELECT title FROM book") { try $0[0] }
      #expect(titles == ["Emma", "Emma"])
    }
  }

  @Test func `a sync engine synchronises in the background and reports its status`() async throws {
    try await withTemporaryDirectory { folder in
      let server = try makeServer(in: folder)
      let (database, engine) = try openDevice("phone", in: folder, server)
      try database.execute("INSERT INTO book VALUES ('b1', 'Emma', 0)")

      try engine.start()
      engine.touch(.screenEntered)
      for await status in engine.status() where status.head > 0 && status.pending == 0 {
        print(status.state, status.conflicts, status.lag, status.policyMismatches)
        break
      }
      engine.stop()

      #expect(try server.head(of: "library:ann") == 1)
    }
  }

  @Test
  func `the sync guide's conflict policies merge or report conflicting changes of two devices`()
    async throws
  {
    let server = SyncServer(store: InMemorySyncStore(), tables: policies) { _, _ in .readWrite }
    let devices = try (0..<2).map { _ in try Database.inMemory() }
    let engines = try devices.map { database in
      try database.write { db in
        try db.executeScript(
          """
          CREATE TABLE book(id TEXT PRIMARY KEY NOT NULL, title TEXT, note TEXT, tags TEXT,
            loans INTEGER NOT NULL DEFAULT 0);
          CREATE TABLE price(id TEXT PRIMARY KEY NOT NULL, amount INTEGER);
          CREATE TABLE address(id TEXT PRIMARY KEY NOT NULL, street TEXT, town TEXT);
          """)
      }
      return try SyncEngine(
        database, scope: "library", account: "ann", tables: policies,
        peer: server.peer(account: "ann"))
    }
    try devices[0].execute("INSERT INTO book VALUES ('b1', 'Emma', 'old', 'novel', 0)")
    for engine in engines { try await engine.sync() }
    try devices[0].execute("UPDATE book SET tags = 'novel irony'")
    try devices[1].execute("UPDATE book SET tags = 'classic novel'")
    for engine in engines + engines { try await engine.sync() }

    let tags = try devices.map { try $0.fetchValue("SELECT tags FROM book", as: String.self) }
    #expect(tags == ["classic irony novel", "classic irony novel"])
    #expect(try texts(of: engines[1].conflicts()).count == 2)
    try devices[0].execute("UPDATE book SET note = 'torn'")
    try devices[1].execute("UPDATE book SET note = 'lent'")
    for engine in engines + engines { try await engine.sync() }
    #expect(try texts(of: engines[1].conflicts()).last == "book b1: open [note]")
    #expect(engines[0].currentStatus.policyMismatches == [])
    while try engines[1].conflicts().count > 1 {
      guard case .lost(let conflict)? = try engines[1].conflicts().first else { break }
      try engines[1].resolve(conflict.conflictIdentifier, with: .serverValues)
    }
    try answerFirst(engines[1])
    for engine in engines + engines { try await engine.sync() }
    #expect(try devices[0].fetchValue("SELECT note FROM book", as: String.self) == "lent")
    #expect(try engines[1].conflicts() == [])
  }

  @Test
  func `a change that the server's validator rejects becomes a conflict on the sending device`()
    async throws
  {
    let server = makeValidatingServer()
    let database = try Database.inMemory()
    try database.execute(
      "CREATE TABLE book(id TEXT PRIMARY KEY NOT NULL, title TEXT, loans INTEGER)")
    let engine = try SyncEngine(
      database, scope: "library", account: "ann", tables: libraryTables,
      peer: server.peer(account: "ann"), schemaVersion: 2)
    try database.execute("INSERT INTO book VALUES ('b1', '', 0)")

    try await engine.sync()

    #expect(try texts(of: engine.conflicts()).first?.hasPrefix("book b1: rejected") == true)
    #expect(try await engine.compareDigests().serverRows == 0)
  }

  @Test func `values that a device pulled for a missing column appear after the column is added`()
    async throws
  {
    let server = SyncServer(store: InMemorySyncStore(), tables: libraryTables) { _, _ in .readWrite
    }
    let (old, new) = (try Database.inMemory(), try Database.inMemory())
    func engine(_ database: Database) throws -> SyncEngine {
      try SyncEngine(
        database, scope: "library", account: "ann", tables: libraryTables,
        peer: server.peer(account: "ann"))
    }
    for database in [old, new] {
      try database.execute(
        "CREATE TABLE book(id TEXT PRIMARY KEY NOT NULL, title TEXT, loans INTEGER)")
    }
    let oldEngine = try engine(old)

    try new.execute("ALTER TABLE book ADD COLUMN isbn TEXT")
    try new.execute("INSERT INTO book VALUES ('b1', 'Emma', 0, '978-0')")
    try await engine(new).sync()
    try await oldEngine.sync()
    try old.execute("ALTER TABLE book ADD COLUMN isbn TEXT")
    _ = try engine(old)

    #expect(try old.fetchValue("SELECT isbn FROM book", as: String.self) == "978-0")
  }
}
