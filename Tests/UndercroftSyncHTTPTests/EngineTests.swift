#if SyncHTTP
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSQLite
  import UndercroftSync
  import UndercroftSyncCompression
  import UndercroftSyncHTTP

  @Suite(.timeLimit(.hangLimit)) struct EngineTests {
    /// A server of the protocol whose answers a test can replace.
    private struct Library {
      let server: SyncServer
      let answered = Record<SyncRequest>()

      init(_ limits: SyncLimits = SyncLimits()) {
        server = SyncServer(
          store: InMemorySyncStore(), limits: limits, access: { _, _ in .readWrite })
      }

      /// Returns the answer of the server.
      func reply(_ received: ReceivedRequest) -> ScriptedReply {
        do {
          let request = try Self.request(received)
          let answer = try server.respond(to: request, account: "librarian")
          answered.append(request)
          return .response(200, ScriptedReply.messageType, [UInt8](answer))
        } catch { return .problem(500, detail: "failed") }
      }

      static func request(_ received: ReceivedRequest) throws -> SyncRequest {
        let name = received.path.split(separator: "/").last.map(String.init) ?? ""
        let endpoint = try #require(SyncRequest.Endpoint(rawValue: name))
        let isCompressed = received.header("Content-Encoding") == "gzip"
        let body = Data(received.body)
        return SyncRequest(
          endpoint,
          body: isCompressed ? try Gzip.decompress(body, limit: SyncLimits.messageBytes) : body)
      }
    }

    private func database() throws -> Database {
      let database = try Database.inMemory()
      try database.execute("CREATE TABLE book(id TEXT PRIMARY KEY NOT NULL, title TEXT)")
      return database
    }

    private func engine(_ database: Database, _ peer: HTTPSyncPeer) throws -> SyncEngine {
      try SyncEngine(
        database, scope: "town", account: "librarian", tables: [SyncedTable("book")], peer: peer)
    }

    private func insertBooks(_ count: Int, in database: Database) throws {
      try database.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO book SELECT 'b' || i, 'Title ' || i FROM n
        """)
    }

    private func titles(_ database: Database) throws -> [String] {
      try database.fetchAll("SELECT title FROM book ORDER BY id") { row in try row[0] as String }
    }

    @Test func `two databases converge over HTTP`() async throws {
      let library = Library()
      try await ScriptedServer.run({ request, _ in library.reply(request) }) { server in
        let (north, south) = (try database(), try database())
        let test = TestPeer(server.url)
        let engines = [try engine(north, test.peer), try engine(south, test.peer)]
        try insertBooks(600, in: north)
        try south.execute("INSERT INTO book VALUES ('iliad', 'Iliad')")
        for engine in [engines[0], engines[1], engines[0]] { try await engine.sync() }

        let (first, second) = (try titles(north), try titles(south))
        #expect(first.count == 601)
        #expect(first == second)
      }
    }

    @Test func `a first pull that was interrupted continues after the last stored page`()
      async throws
    {
      var limits = SyncLimits()
      limits.pageRows = 10
      let library = Library(limits)
      let pulls = Record<Bool>()
      let script: ScriptedServer.Script = { request, _ in
        // Every third answer to a pull request is cut.
        if request.path.hasSuffix("/pull"), pulls.append(true).isMultiple(of: 3) {
          return .raw("HTTP/1.1 200 OK\r\n", then: .closed)
        }
        return library.reply(request)
      }
      try await ScriptedServer.run(script) { server in
        let (north, south) = (try database(), try database())
        let test = TestPeer(server.url) { $0.attempts = 1 }
        try insertBooks(200, in: north)
        _ = try? await engine(north, test.peer).sync()
        let arriving = try engine(south, test.peer)
        let before = library.answered.values.count
        var interruptions = 0
        while try titles(south).count < 200, interruptions < 100 {
          do { try await arriving.sync() } catch { interruptions += 1 }
        }

        let cursors = try library.answered.values.dropFirst(before)
          .filter { $0.endpoint == .pull }.map { try PullRequest(decoding: $0.body).cursor }
        #expect(interruptions > 3)
        #expect(try titles(south) == titles(north))
        // At the end of each synchronisation, one request finds that there are no more pages.
        #expect(cursors == cursors.sorted())
        #expect(Set(cursors).count >= 20)
      }
    }

    @Test func `packets are halved until the server accepts their size`() async throws {
      let library = Library()
      let sizes = Record<Int>()
      let script: ScriptedServer.Script = { received, _ in
        guard received.path.hasSuffix("/push"), let request = try? Library.request(received),
          let packet = try? SyncPacket(decoding: request.body)
        else { return library.reply(received) }
        sizes.append(packet.operations.count)
        return packet.operations.count > 100 ? .problem(413) : library.reply(received)
      }
      try await ScriptedServer.run(script) { server in
        let north = try database()
        let engine = try engine(north, TestPeer(server.url).peer)
        try insertBooks(400, in: north)
        try await engine.sync()

        #expect(engine.currentStatus.pending == 0)
        #expect(sizes.values.prefix(3) == [400, 200, 100])
      }
    }

    @Test func `a refused token changes nothing in the queue`() async throws {
      let library = Library()
      let script: ScriptedServer.Script = { request, _ in
        request.header("Authorization") == "Bearer third-token"
          ? library.reply(request) : .problem(401)
      }
      try await ScriptedServer.run(script) { server in
        let north = try database()
        let test = TestPeer(server.url, tokens: ["first-token", "second-token", "third-token"])
        let engine = try engine(north, test.peer)
        try insertBooks(3, in: north)
        let error = await #expect(throws: StorageError.self) { try await engine.sync() }
        let pending = engine.currentStatus.pending
        try await engine.sync()

        #expect(error?.code == .accessDenied)
        #expect(pending == 3)
        #expect(engine.currentStatus.pending == 0)
      }
    }
  }
#endif
