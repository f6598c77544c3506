#if SyncHTTP && SyncServer
  import ArgumentParser
  import Foundation
  import NetworkTestSupport
  import UndercroftCore
  import UndercroftSQLite
  import UndercroftSync
  import UndercroftSyncPostgres

  /// The stores of a server over HTTP.
  enum NetworkStoreName: String, CaseIterable, ExpressibleByArgument {
    case sqlite
    case postgres

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
  }

  /// The data of a server over HTTP: a folder, or a database of PostgreSQL.
  final class NetworkStore {
    private let data: URL
    /// The connection string of the database, or `nil` for SQLite.
    let connection: String?

    #if SyncPostgres
      private let cluster: PostgresCluster?
    #endif

    /// Creates the data in a folder and, for PostgreSQL, starts a PostgreSQL server.
    init(_ name: NetworkStoreName, in folder: URL) throws {
      data = folder.appending(path: "server")
      #if SyncPostgres
        cluster = name == .postgres ? try PostgresCluster() : nil
        connection = try cluster?.makeDatabase()
      #else
        connection = nil
        if name == .postgres {
          throw StorageError(
            .notSupported, "cannot use PostgreSQL: KillWriter was built without SyncPostgres",
            suggestion: "build the package with --enable-all-traits")
        }
      #endif
    }

    /// The arguments with which the server selects the data.
    var arguments: [String] { connection.map { ["--postgres", $0] } ?? ["--data", data.path] }

    /// Ends PostgreSQL as a crash does, and starts it again.
    func restart() throws {
      #if SyncPostgres
        guard let cluster else { return }
        cluster.stop(SIGQUIT)
        try cluster.start()
      #endif
    }

    /// Opens the store, which no other process uses.
    func open() throws -> any SyncServerStore {
      #if SyncPostgres
        if let connection { return try PostgresSyncStore(connection) }
      #endif
      let folder = data.appending(path: "store")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let shards = files.filter { $0.hasPrefix("sync-") && $0.hasSuffix(".sqlite") }.count
      return try SQLiteSyncStore(at: folder, shards: max(1, shards))
    }
  }
#endif
