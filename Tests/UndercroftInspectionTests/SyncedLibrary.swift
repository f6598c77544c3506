import Foundation
import Undercroft
import UndercroftSync

/// Two devices of a lending library, called desks, and a server, all with databases in files.
struct SyncedLibrary {
  let databases: [Database]
  let engines: [SyncEngine]
  private let folder: URL

  /// Creates two desks with one book that both have pulled.
  init(in folder: URL, policy: TablePolicy = TablePolicy()) async throws {
    self.folder = folder
    let tables = [SyncedTable("book", counters: ["loans"], policy: policy)]
    let server = SyncServer(
      store: try SQLiteSyncStore(at: folder.appending(path: "server")), tables: tables,
      access: { _, _ in .readWrite })
    databases = try (0..<2).map { try Database(at: Self.desk($0, in: folder)) }
    engines = try databases.map { database in
      try database.execute(
        """
        CREATE TABLE book(id TEXT PRIMARY KEY NOT NULL, title TEXT, password TEXT,
          loans INTEGER NOT NULL DEFAULT 0)
        """)
      return try SyncEngine(
        database, scope: "library", account: "librarian", tables: tables,
        peer: server.peer(account: "librarian"))
    }
    try edit(0, "INSERT INTO book VALUES ('b1', 'Dune', 'opensesame', 10)")
    try await sync()
  }

  /// Runs a statement at one desk.
  func edit(_ desk: Int, _ sql: SQL) throws {
    try databases[desk].write { db in try db.execute(sql) }
  }

  /// Synchronises the first desk, the second one, and both in the same order again.
  func sync() async throws {
    for engine in engines + engines { try await engine.sync() }
  }

  /// The database of a desk.
  func desk(_ desk: Int) -> URL { Self.desk(desk, in: folder) }

  private static func desk(_ desk: Int, in folder: URL) -> URL {
    folder.appending(path: "desk\(desk).sqlite")
  }

  /// The database of the server that contains the scope.
  var server: URL { folder.appending(path: "server/sync-0.sqlite") }
}
