#if SyncHTTP
  import Foundation
  import UndercroftSQLite

  /// The data of a server: a folder, and a database if the scopes are in PostgreSQL.
  struct ServerData {
    /// The account of the devices.
    static let account = MeasuredPeer.account

    let folder: URL
    /// The token of the account.
    let token: String
    private let cluster: PostgresCluster?

    /// Creates the data of a server without scopes, which is in PostgreSQL if there is a cluster.
    init(at folder: URL, _ program: SyncServerProgram, _ cluster: PostgresCluster? = nil) throws {
      self.folder = folder
      self.cluster = cluster
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try cluster?.createDatabase(folder.lastPathComponent)
      token = try program.createToken(
        for: Self.account, in: Self.arguments(folder, cluster))
    }

    private init(copyOf data: ServerData, at folder: URL) throws {
      (self.folder, token, cluster) = (folder, data.token, data.cluster)
      try FileManager.default.copyItem(at: data.folder, to: folder)
      try cluster?.createDatabase(database, from: data.database)
    }

    private var database: String { folder.lastPathComponent }

    /// The folder with the SQLite files of the scopes.
    var store: URL { folder.appending(path: "store") }

    /// The arguments with which the commands of the program select the data.
    var arguments: [String] { Self.arguments(folder, cluster) }

    private static func arguments(_ folder: URL, _ cluster: PostgresCluster?) -> [String] {
      cluster.map { ["--postgres", $0.address(of: folder.lastPathComponent)] }
        ?? ["--data", folder.path]
    }

    /// The arguments of the server, with which a new store in SQLite has one file.
    var serverArguments: [String] { arguments + (cluster == nil ? ["--shards", "1"] : []) }

    /// Runs `body` with a copy of the data, which no server uses, and removes the copy.
    func withCopy<Result>(_ body: (ServerData) throws -> Result) throws -> Result {
      let copy = try ServerData(
        copyOf: self, at: folder.deletingLastPathComponent().appending(path: "\(database)_copy"))
      let result = try body(copy)
      try cluster?.removeDatabase(copy.database)
      try FileManager.default.removeItem(at: copy.folder)
      return result
    }

    /// Throws if the store, which no server uses, does not contain an applied operation and a row
    /// for each operation that was sent.
    func requireOperations(_ expected: Int) throws {
      for table in ["sync_record", "sync_operation"] {
        if let cluster {
          // The server stores its tokens and its counts of accounts in the scope without a name.
          let found = try cluster.value(
            """
            SELECT count(*) FROM \(table) JOIN sync_scope USING (scope_id) WHERE name <> ''
            """, in: database)
          guard found == "\(expected)" else {
            throw BenchmarkFailure("\(found) rows of \(table) instead of \(expected)")
          }
        } else {
          let file = try Database(at: store.appending(path: "sync-0.sqlite"))
          try CopiedBook.require(
            expected, "SELECT count(*) FROM \(identifier: table)", in: file, "rows of \(table)")
          try file.close()
        }
      }
    }
  }
#endif
