import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftSync

// The code of Docs/Guides/Syncing.md with declared tables, and with a server in another process.

enum SyncingTables {
  struct Author: TableRecord {
    var id = UUID()
    var name: String

    static let table = Table(
      "author", Author.init,
      Column("id", \.id).primaryKey(),
      Column("name", \.name))
  }

  struct Book: TableRecord {
    var id = UUID()
    var title: String
    var authorID: UUID?

    static let table = Table(
      "book", Book.init,
      Column("id", \.id).primaryKey(),
      Column("title", \.title),
      Column("author_id", \.authorID).references(Author.self, onDelete: .setNull))
  }

  struct Library: DataCenter {
    let database: Database
    static let tables: Tables = [Author.self, Book.self]
    static let synced = [SyncedTable("author"), SyncedTable("book")]

    static func open(
      at url: URL, _ peer: any SyncPeer
    ) throws -> (library: Library, engine: SyncEngine) {
      let library = Library(database: try Database(at: url))  // with a migrator, if there is one
      try library.prepare()  // an engine needs the tables
      let engine = try SyncEngine(
        library.database, scope: "library:ann", account: "ann", tables: synced, peer: peer)
      return (library, engine)
    }
  }
}

private typealias Author = SyncingTables.Author
private typealias Library = SyncingTables.Library

private struct RemotePeer: SyncPeer {
  /// Transmits a request, and returns the answer; throws the `StorageError` of the server.
  let transmit: @Sendable (_ endpoint: String, _ body: Data) async throws -> Data

  func send(_ request: SyncRequest) async throws -> Data {
    try await transmit(request.endpoint.rawValue, request.body)
  }

  func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke> {
    AsyncStream { stream in stream.finish() }  // this connection has no notifications
  }
}

private nonisolated func answer(
  _ endpoint: String, _ body: Data, of account: String, with server: SyncServer
) throws -> Data? {
  guard let endpoint = SyncRequest.Endpoint(rawValue: endpoint) else { return nil }
  return try server.respond(to: SyncRequest(endpoint, body: body), account: account)
}

private func moveCopy(_ engine: SyncEngine) throws {
  try engine.writeGroup { db in
    try db.execute("UPDATE branch SET copies = copies - 1 WHERE name = 'north'")
    try db.execute("UPDATE branch SET copies = copies + 1 WHERE name = 'south'")
  }
}

@Suite struct SyncingTablesGuideTests {
  @Test func `records of declared tables arrive on another device through a remote server`()
    async throws
  {
    try await withTemporaryDirectory { folder in
      let server = SyncServer(
        store: InMemorySyncStore(), tables: Library.synced, access: { _, _ in .readWrite })
      let peer = RemotePeer { endpoint, body in
        try #require(try answer(endpoint, body, of: "ann", with: server))
      }
      let phone = try Library.open(at: folder.appending(path: "phone.sqlite"), peer)
      let desk = try Library.open(at: folder.appending(path: "desk.sqlite"), peer)

      try phone.library.write { db in
        let author = Author(name: "Austen")
        try author.insert(in: db)
        try SyncingTables.Book(title: "Emma", authorID: author.id).insert(in: db)
      }
      try await phone.engine.sync()
      try await desk.engine.sync()

      let book = try desk.library.read { db in try SyncingTables.Book.fetchAll(in: db) }.first
      let author = try desk.library.read { db in try Author.fetchAll(in: db) }.first
      #expect(book?.title == "Emma")
      #expect(author?.name == "Austen")
      #expect(book?.authorID == author?.id)
    }
  }

  @Test
  func `counter changes that a device makes in one writeGroup call arrive on another device`()
    async throws
  {
    try await withTemporaryDirectory { folder in
      let tables = [SyncedTable("branch", counters: ["copies"])]
      let server = SyncServer(
        store: InMemorySyncStore(), tables: tables, access: { _, _ in .readWrite })
      let devices = try ["phone", "desk"].map { name in
        let database = try Database(at: folder.appending(path: "\(name).sqlite"))
        try database.execute(
          "CREATE TABLE branch(name TEXT PRIMARY KEY, copies INTEGER NOT NULL DEFAULT 0)")
        let engine = try SyncEngine(
          database, scope: "library:ann", account: "ann", tables: tables,
          peer: server.peer(account: "ann"))
        return (database: database, engine: engine)
      }
      try devices[0].database.execute("INSERT INTO branch VALUES ('north', 3), ('south', 0)")
      for device in devices { try await device.engine.sync() }

      try moveCopy(devices[0].engine)
      for device in devices { try await device.engine.sync() }

      let copies = try devices[1].database.fetchAll("SELECT copies FROM branch ORDER BY name") {
        row in try row[0] as Int
      }
      #expect(copies == [2, 1])
    }
  }

  @Test func `the sync guide's request handler returns nil for an unknown endpoint`() throws {
    let server = SyncServer(store: InMemorySyncStore(), tables: [], access: { _, _ in .none })

    #expect(try answer("delete", Data(), of: "ann", with: server) == nil)
  }

  @Test
  func `a foreign key to a row that another device deleted is NULL until the row is reinserted`()
    async throws
  {
    try await withTemporaryDirectory { folder in
      let server = SyncServer(
        store: InMemorySyncStore(), tables: Library.synced, access: { _, _ in .readWrite })
      let phone = try Library.open(
        at: folder.appending(path: "phone.sqlite"), server.peer(account: "ann"))
      let desk = try Library.open(
        at: folder.appending(path: "desk.sqlite"), server.peer(account: "ann"))
      let author = Author(name: "Austen")
      try phone.library.write { db in try author.insert(in: db) }
      try await phone.engine.sync()
      try await desk.engine.sync()

      try phone.library.write { db in try author.delete(in: db) }
      try desk.library.write { db in
        try SyncingTables.Book(title: "Emma", authorID: author.id).insert(in: db)
      }
      for engine in [phone.engine, desk.engine, phone.engine] { try await engine.sync() }

      for library in [phone.library, desk.library] {
        let books = try library.read { db in try SyncingTables.Book.fetchAll(in: db) }
        #expect(books.map(\.title) == ["Emma"])
        #expect(books.map(\.authorID) == [nil])
      }
      try phone.library.write { db in try author.insert(in: db) }
      for engine in [phone.engine, desk.engine] { try await engine.sync() }
      for library in [phone.library, desk.library] {
        let books = try library.read { db in try SyncingTables.Book.fetchAll(in: db) }
        #expect(books.map(\.authorID) == [author.id])
      }
    }
  }
}
