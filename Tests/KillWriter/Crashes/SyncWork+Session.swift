import Foundation
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

extension SyncWork {
  /// A server and the databases and engines of two clients, which one process uses.
  struct Session {
    private let store: SQLiteSyncStore
    private let server: SyncServer
    private var databases: [String: Database] = [:]
    private var engines: [String: SyncEngine] = [:]

    init(_ place: SyncPlace, _ durability: Durability) throws {
      store = try place.store()
      server = SyncPlace.server(of: store)
      for client in SyncPlace.clients {
        let database = try place.database(
          of: client, DatabaseOptions(durability: durability))
        databases[client] = database
        engines[client] = try SyncPlace.engine(
          for: database, server.peer(account: SyncPlace.account))
      }
    }

    /// Closes all files.
    func close() throws {
      for database in databases.values { try database.close() }
      try store.close()
    }

    func commit(_ edits: [SyncEdit], of client: String) throws {
      try databases[client]?.write { db in
        for edit in edits { _ = try edit.write(to: db) }
      }
    }

    func synchronise(_ client: String) throws {
      guard let engine = engines[client] else { return }
      _ = try Waiting.wait { try await engine.sync() }
    }

    func synchroniseAll() throws {
      for client in SyncPlace.clients { try synchronise(client) }
    }

    /// Synchronises until both clients have the rows of the server, and returns the server's
    /// contents.
    ///
    /// - Parameter rounds: how often each client synchronises at most.
    /// - Throws: ``StorageError/Code/corrupted`` if a client still differs from the server
    ///   afterwards.
    func synchronised(within rounds: Int) throws -> SyncContents {
      var problems: [String] = []
      for _ in 0..<rounds {
        try synchroniseAll()
        let contents = try SyncContents(of: server)
        problems = try databases.values.flatMap { try contents.differences(from: $0) }
        if problems.isEmpty { return contents }
      }
      throw StorageError(
        .corrupted,
        """
        cannot synchronise the clients \(SyncPlace.clients.joined(separator: " and ")) with the \
        server: after \(rounds) rounds the rows still differ: \(problems.joined(separator: ", "))
        """, suggestion: "inspect the files of this crash state")
    }
  }
}
