#if SyncServer && SyncHTTP
  import Foundation
  import Logging
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSQLite
  import UndercroftSync
  import UndercroftSyncHTTP
  import UndercroftSyncServer

  @Suite struct SyncHTTPServerTests {
    /// A branch with a database, which synchronises over HTTP.
    private struct RemoteBranch {
      let database: Database
      let engine: SyncEngine
      let peer: HTTPSyncPeer

      init(_ account: String, on server: TestServer) throws {
        let token = try server.token(account)
        let address = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        database = try Database.inMemory()
        try database.execute("CREATE TABLE book(id TEXT PRIMARY KEY NOT NULL, title TEXT)")
        peer = HTTPSyncPeer(server: address) { _ in token }
        engine = try SyncEngine(
          database, scope: Branch.scope, account: account, tables: [SyncedTable("book")],
          peer: peer)
      }
    }

    private func titles(_ database: Database) throws -> [String] {
      try database.fetchAll("SELECT title FROM book ORDER BY title") { row in try row[0] }
    }

    @Test(.timeLimit(.hangLimit))
    func `the databases of two accounts converge through a server over HTTP`() async throws {
      try await TestServer.run { server in
        let (north, south) = (
          try RemoteBranch("north", on: server), try RemoteBranch("south", on: server)
        )
        try north.database.execute("INSERT INTO book VALUES ('b1', 'Dune'), ('b2', 'Emma')")
        try south.database.execute("INSERT INTO book VALUES ('b3', 'Iliad')")

        for branch in [north, south, north] { _ = try await branch.engine.sync() }

        let (northTitles, southTitles) = (try titles(north.database), try titles(south.database))
        #expect(northTitles == ["Dune", "Emma", "Iliad"])
        #expect(southTitles == northTitles)
        for branch in [north, south] { await branch.peer.close() }
      }
    }

    @Test(.timeLimit(.hangLimit))
    func `a first pull of several pages receives all rows`() async throws {
      var limits = SyncLimits()
      limits.pageRows = 10
      try await TestServer.run(syncLimits: limits) { server in
        let (north, south) = (
          try RemoteBranch("north", on: server), try RemoteBranch("south", on: server)
        )
        try north.database.write { db in
          for number in 0..<95 {
            try db.execute("INSERT INTO book VALUES (\("b\(number)"), 'Dune')")
          }
        }

        _ = try await north.engine.sync()
        _ = try await south.engine.sync()

        let count = try titles(south.database).count
        #expect(count == 95)
        for branch in [north, south] { await branch.peer.close() }
      }
    }

    @Test(.timeLimit(.hangLimit))
    func `a peer receives tooLarge for a body that the server refuses before it has read it`()
      async throws
    {
      var limits = ServerLimits()
      limits.bodyBytes = 10_000
      try await TestServer.run(limits: limits) { server in
        let token = try server.token("north")
        var options = HTTPSyncOptions()
        options.usesCompression = false
        let address = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        let peer = HTTPSyncPeer(server: address, options: options) { _ in token }
        let request = SyncRequest(.push, body: Data(repeating: 0x20, count: 12 << 20))

        let error = await #expect(throws: StorageError.self) { _ = try await peer.send(request) }

        #expect(error?.code == .tooLarge, "\(error?.message ?? "")")
        await peer.close()
      }
    }

    @Test func `plain HTTP on an address that other computers reach is refused`() throws {
      let sync = SyncServer(store: InMemorySyncStore(), access: { _, _ in .readWrite })
      try withTemporaryDirectory { folder in
        let tokens = try TokenStore(at: folder.appending(path: "accounts.sqlite"))
        var options = ServerOptions()
        options.host = "0.0.0.0"
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

        let error = #expect(throws: StorageError.self) {
          _ = try SyncHTTPServer(sync, authenticator: tokens, options: options, logger: logger)
        }
        #expect(error?.code == .misuse)

        options.allowsPlainHTTP = true
        #expect(throws: Never.self) {
          _ = try SyncHTTPServer(sync, authenticator: tokens, options: options, logger: logger)
        }
      }
    }

    @Test(arguments: [Double.nan, .infinity, -1, 1e18])
    func `times and limits with which the server cannot compute are refused`(
      number: Double
    ) throws {
      let sync = SyncServer(store: InMemorySyncStore(), access: { _, _ in .readWrite })
      try withTemporaryDirectory { folder in
        let tokens = try TokenStore(at: folder.appending(path: "accounts.sqlite"))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var (options, limits) = (ServerOptions(), ServerLimits())
        options.stopSeconds = number
        limits.threads = Int(exactly: number) ?? .max

        for (options, limits) in [(options, ServerLimits()), (ServerOptions(), limits)] {
          let error = #expect(throws: StorageError.self) {
            _ = try SyncHTTPServer(
              sync, authenticator: tokens, limits: limits, options: options, logger: logger)
          }
          #expect(error?.code == .misuse)
        }
      }
    }

    @Test func `limits with which no request could be answered are refused`() throws {
      var (bodies, idle, connections) = (ServerLimits(), ServerLimits(), ServerLimits())
      bodies.bodySeconds = 0
      idle.idleSeconds = 0
      connections.connections = 0

      let errors = try [bodies, idle, connections].map { try refusal(of: $0) }

      #expect(errors.map { $0?.code } == [.misuse, .misuse, .misuse])
      #expect(errors.last??.description.contains("connections = 0") == true)
    }

    @Test func `a single connection is enough, and limits of 0 may refuse some requests`() throws {
      var limits = ServerLimits()
      limits.connections = 1
      limits.streams = 0
      limits.waitingRequests = 0

      let error = try refusal(of: limits)

      #expect(error == nil)
    }

    /// Returns the error of a server with limits, or `nil` if they are accepted.
    private func refusal(of limits: ServerLimits) throws -> StorageError? {
      let sync = SyncServer(store: InMemorySyncStore(), access: { _, _ in .readWrite })
      return try withTemporaryDirectory { folder in
        let tokens = try TokenStore(at: folder.appending(path: "accounts.sqlite"))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        do {
          _ = try SyncHTTPServer(sync, authenticator: tokens, limits: limits, logger: logger)
          return nil
        } catch let error as StorageError {
          return error
        }
      }
    }

    @Test(.timeLimit(.hangLimit))
    func `a stopped server ends its event streams and refuses further requests`() async throws {
      try await TestServer.run { server in
        let token = try server.token("north")
        let branch = try Branch("north", on: server.sync)
        let port = server.port
        let connection = try await RawConnection.open(port: port)
        try await connection.send(
          HTTPRequestText(get: "/sync/v1/events?scope=\(branch.scope)", token).data)
        let answer = try await connection.readAnswer()
        #expect(answer.status == 200)

        await server.stop()

        let events = try await events(of: connection)
        #expect(events.first == ": connected")
      }
    }

    /// Reads the events of a stream until its end.
    private func events(of connection: RawConnection) async throws -> [String] {
      var events: [String] = []
      while let event = try? await connection.readEvent() { events.append(event) }
      return events
    }
  }
#endif
