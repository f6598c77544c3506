package import Foundation
package import Undercroft
package import UndercroftSync

/// A library that two devices, `phone` and `desk`, have synchronised with a server.
///
/// After ``fill()``, `phone` has one change that was sent without receiving a result, and one
/// change that was not sent. `desk` has a conflict.
package struct SyncedLibrary {
  package static let tables = [
    SyncedTable("author"),
    SyncedTable(
      "book", counters: ["loans"], local: ["draft"],
      policy: TablePolicy(columns: ["title": .serverWins])),
  ]

  package let folder: URL
  package let server: SyncServer
  private let store: SQLiteSyncStore

  package init(in folder: URL) throws {
    self.folder = folder
    store = try SQLiteSyncStore(at: folder.appending(path: "server"), shards: 2)
    server = SyncServer(store: store, tables: Self.tables) { _, _ in .readWrite }
  }

  /// Opens the database of a device.
  ///
  /// Creates the file and the tables if they are missing.
  package func database(_ device: String) throws -> Database {
    let database = try Database(at: folder.appending(path: "\(device).sqlite"))
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE IF NOT EXISTS author(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS book(
          id TEXT PRIMARY KEY NOT NULL, title TEXT, note TEXT, loans INTEGER NOT NULL DEFAULT 0,
          author INTEGER REFERENCES author(id), draft TEXT);
        """)
    }
    return database
  }

  /// Returns an engine that synchronises the database of a device with the server.
  ///
  /// - Parameter losesResults: whether each push throws ``StorageError/Code/unavailable`` after the
  ///   server has applied it.
  package func engine(of database: Database, losesResults: Bool = false) throws -> SyncEngine {
    let peer = server.peer(account: "librarian")
    return try SyncEngine(
      database, scope: "library", account: "librarian", tables: Self.tables,
      peer: LossyPeer(peer, losesResults: losesResults))
  }

  /// Returns the books of a device in the order of their identifiers, one line for each book.
  package static func books(in database: Database) throws -> [String] {
    try database.fetchAll(
      """
      SELECT b.id || ' ' || title || ' ' || coalesce(quote(note), '-') || ' ' || loans || ' '
        || coalesce(a.name, '-')
      FROM book b LEFT JOIN author a ON a.id = b.author ORDER BY b.id
      """
    ) { row in try row[0] }
  }

  /// Writes the changes of both devices, and closes their databases and the store of the server.
  package func fill() async throws {
    let (phone, desk) = (try database("phone"), try database("desk"))
    let engines = (try engine(of: phone), try engine(of: desk))
    try phone.write { db in
      try db.executeScript(
        """
        INSERT INTO author VALUES (7, 'Frank Herbert');
        INSERT INTO book VALUES ('b1', 'Dune', 'old', 2, 7, 'local'), ('b2', 'Emma', NULL, 0, NULL, NULL);
        """)
    }
    try await engines.0.sync()
    try desk.execute("INSERT INTO author VALUES (7, 'Homer')")
    try await engines.1.sync()
    // The desk loses the title, and stores it as a conflict.
    try phone.execute("UPDATE book SET title = 'Dune Messiah' WHERE id = 'b1'")
    try desk.execute("UPDATE book SET title = 'Children of Dune', note = 'torn' WHERE id = 'b1'")
    try await engines.0.sync()
    try await engines.1.sync()
    try phone.execute("DELETE FROM book WHERE id = 'b2'")
    try await engines.0.sync()
    // The server has applied this change, and the phone does not know the result.
    try phone.execute("UPDATE book SET loans = loans + 3 WHERE id = 'b1'")
    let lossy = try engine(of: phone, losesResults: true)
    do { try await lossy.sync() } catch let error as StorageError where error.code == .unavailable {
    }
    try phone.execute("INSERT INTO book VALUES ('b3', 'Iliad', x'fffe', 1, 7, NULL)")
    for database in [phone, desk] { try database.close() }
    try store.close()
  }

  /// The lines of ``books(in:)`` on both devices after they have synchronised again.
  package static let afterSynchronising = [
    "b1 Dune Messiah 'torn' 5 Frank Herbert", "b3 Iliad X'FFFE' 1 Frank Herbert",
  ]
}

/// A peer that can discard the server's answers to pushes.
private struct LossyPeer: SyncPeer {
  let peer: any SyncPeer
  let losesResults: Bool

  init(_ peer: any SyncPeer, losesResults: Bool) {
    self.peer = peer
    self.losesResults = losesResults
  }

  func send(_ request: SyncRequest) async throws -> Data {
    let answer = try await peer.send(request)
    if losesResults, request.endpoint == .push {
      throw StorageError(.unavailable, "the answer was lost")
    }
    return answer
  }

  func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke> { peer.pokes(for: scopes) }
}
