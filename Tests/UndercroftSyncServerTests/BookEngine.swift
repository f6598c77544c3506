#if SyncServer && SyncHTTP
  import Foundation
  import NetworkTestSupport
  import UndercroftCore
  import UndercroftSQLite
  import UndercroftSync
  import UndercroftSyncHTTP

  /// A database with the books of the Python client, which an engine synchronises over HTTP.
  struct BookEngine {
    let database: Database
    let engine: SyncEngine
    let peer: HTTPSyncPeer

    init(_ account: String, on server: TestServer) throws {
      try self.init(account, port: server.port, token: try server.token(account))
    }

    init(_ account: String, port: Int, token: String) throws {
      guard let address = URL(string: "http://127.0.0.1:\(port)") else {
        throw RawConnection.Closed()
      }
      database = try Database.inMemory()
      try database.execute(
        """
        CREATE TABLE book(
          id TEXT PRIMARY KEY NOT NULL, title TEXT, author TEXT, copies INTEGER)
        """)
      peer = HTTPSyncPeer(server: address) { _ in token }
      engine = try SyncEngine(
        database, scope: Branch.scope, account: account, tables: [SyncedTable("book")], peer: peer)
    }

    /// Synchronises until nothing is left.
    func sync() async throws { _ = try await engine.sync() }

    /// Inserts a book, or updates the title and the number of copies if the book exists.
    func write(_ id: String, _ title: String, copies: Int64?) throws {
      try database.execute(
        """
        INSERT INTO book(id, title, copies) VALUES (\(id), \(title), \(copies))
        ON CONFLICT(id) DO UPDATE SET title = excluded.title, copies = excluded.copies
        """)
    }

    func remove(_ id: String) throws { try database.execute("DELETE FROM book WHERE id = \(id)") }

    /// The books, sorted by their identifiers.
    func books() throws -> [ListedBook] {
      try database.fetchAll("SELECT id, title, author, copies FROM book ORDER BY id") { row in
        ListedBook(id: try row[0], title: try row[1], author: try row[2], copies: try row[3])
      }
    }
  }
#endif
