import Foundation
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// The folder that contains the files of two clients and their server.
struct SyncPlace {
  static let scope: ScopeIdentifier = "library"
  static let account = "reader"
  static let clients = ["left", "right"]
  static let tables = [
    SyncedTable("loan"), SyncedTable("branch", counters: ["visits"]), SyncedTable("book"),
  ]

  let folder: URL

  init(_ folder: URL) { self.folder = folder }

  /// The path of the socket at which the server process listens.
  var socket: String { folder.appending(path: "socket").path() }

  /// Returns the file in which a client records its commits and synchronisations.
  func record(of client: String) -> URL { folder.appending(path: "\(client).acknowledged") }

  /// Opens the store of the server.
  func store(_ durability: Durability = .powerLoss) throws -> SQLiteSyncStore {
    try SQLiteSyncStore(at: folder.appending(path: "server"), durability: durability)
  }

  /// Opens the store of the server, and returns the server.
  func server(_ durability: Durability = .powerLoss) throws -> SyncServer {
    Self.server(of: try store(durability))
  }

  /// Returns a server with a store, to which every account may write.
  static func server(of store: any SyncServerStore) -> SyncServer {
    SyncServer(store: store, access: { _, _ in .readWrite })
  }

  /// Opens the database of a client, and creates the tables if they are missing.
  ///
  /// The table `progress` is not synchronised. Each transaction inserts its number into the table.
  /// If the transaction gives a book a new title, the row also contains the book, the new title and
  /// the title that it replaces.
  func database(
    of client: String, _ options: DatabaseOptions = DatabaseOptions()
  ) throws -> Database {
    let database = try Database(at: folder.appending(path: "\(client).sqlite"), options)
    try database.write { db in
      try db.execute(
        """
        CREATE TABLE IF NOT EXISTS loan(
          id TEXT PRIMARY KEY NOT NULL, reader TEXT, note BLOB, fee REAL, days INTEGER)
        """)
      try db.execute(
        """
        CREATE TABLE IF NOT EXISTS branch(
          id TEXT PRIMARY KEY NOT NULL, visits INTEGER NOT NULL DEFAULT 0)
        """)
      try db.execute("CREATE TABLE IF NOT EXISTS book(id TEXT PRIMARY KEY NOT NULL, title TEXT)")
      try db.execute(
        """
        CREATE TABLE IF NOT EXISTS progress(
          number INTEGER PRIMARY KEY, book TEXT, before TEXT, title TEXT)
        """)
    }
    return database
  }

  /// Creates the engine of a client, and releases the lease of an earlier process that was killed.
  static func engine(
    for database: Database, _ peer: any SyncPeer, scope: ScopeIdentifier = scope
  ) throws -> SyncEngine {
    let engine = try SyncEngine(
      database, scope: scope, account: account, tables: tables, peer: peer)
    // The lease of the killed process would end after a minute.
    try database.write { db in
      try db.execute("UPDATE sync_scope SET lease_owner = NULL, lease_until_ms = NULL")
    }
    return engine
  }
}
