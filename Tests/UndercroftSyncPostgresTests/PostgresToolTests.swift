#if SyncPostgres && SyncServer && SyncHTTP
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftSQLite
  import UndercroftSync
  import UndercroftSyncHTTP

  /// Tests that run the built tool `undercroft-sync-server` on a PostgreSQL database.
  @Suite(.timeLimit(.hangLimit)) struct PostgresToolTests {
    private let database: TestDatabase
    private let directory: TemporaryDirectory
    private let program: Program

    init() throws {
      database = try TestDatabase()
      directory = try TemporaryDirectory()
      program = try Program(built: "undercroft-sync-server")
    }

    /// Starts a server on the database, and waits until it listens.
    ///
    /// - Parameter name: the name of the file for the log of the server.
    private func serve(_ name: String) async throws -> ServerProcess {
      let server = ServerProcess(
        program.url, ["--postgres", database.address], log: directory.url.appending(path: name))
      try await onNewThread { try server.startListening() }
      return server
    }

    /// Runs a command of the tool on the database.
    private func run(_ arguments: String...) async throws -> ProgramResult {
      try await program.run(arguments + ["--postgres", database.address])
    }

    private func branch() throws -> Database {
      let database = try Database.inMemory()
      try database.execute("CREATE TABLE book(id TEXT PRIMARY KEY NOT NULL, title TEXT)")
      return database
    }

    private func titles(_ database: Database) throws -> [String] {
      try database.fetchAll("SELECT title FROM book ORDER BY id") { row in try row[0] }
    }

    // MARK: Serving

    @Test func `a change that one server accepts is poked and pulled at another server`()
      async throws
    {
      let first = try await serve("first")
      let token = try #require(first.token)
      let second = try await serve("second")
      let (north, south) = (try branch(), try branch())
      try north.execute("INSERT INTO book VALUES ('b1', 'Dune')")
      try await first.synchronise(north, token)
      let subscriber = try second.peer(token)
      var pokes = subscriber.pokes(for: [library]).makeAsyncIterator()
      let present = await pokes.next()

      try north.execute("INSERT INTO book VALUES ('b2', 'Emma')")
      try await first.synchronise(north, token)
      var poke = await pokes.next()
      while poke?.head ?? 0 < 2 {
        try Task.checkCancellation()
        // A lost connection ends the stream. An engine then requests another one, too.
        if poke == nil { pokes = subscriber.pokes(for: [library]).makeAsyncIterator() }
        poke = await pokes.next()
      }
      try await second.synchronise(south, token)

      #expect(present?.head == 1)
      #expect(poke?.head == 2)
      #expect(try titles(south) == ["Dune", "Emma"])
      await subscriber.close()
      let statuses = await onNewThread { [first.stop(), second.stop()] }
      #expect(statuses == [0, 0])
    }

    @Test func `one of two servers that start on an empty database prints a token`() async throws {
      async let first = serve("first")
      async let second = serve("second")
      let servers = [try await first, try await second]

      let tokens = servers.compactMap(\.token)

      #expect(tokens.count == 1)
      let token = try #require(tokens.first)
      let north = try branch()
      try north.execute("INSERT INTO book VALUES ('b1', 'Dune')")
      for server in servers { try await server.synchronise(north, token) }
    }

    @Test func `messages about the database are logged in the form of all others`() async throws {
      let server = try await serve("server")
      // The connection that receives pokes begins after the server listens.
      let isEnded = try await eventually {
        try !database.run(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND query = 'LISTEN undercroft_sync'
          """
        ).isEmpty
      }

      let isLogged = try await eventually {
        server.errors.contains("cannot receive the changes of other processes")
      }

      let objects = server.errors.split(separator: "\n").map { line in
        try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
      }
      #expect(isEnded)
      #expect(isLogged)
      #expect(!objects.contains(nil), "\(server.errors)")
    }

    // MARK: Tokens

    @Test func `a token that the tool creates and revokes is that of all servers`() async throws {
      let servers = [try await serve("first"), try await serve("second")]
      let created = try await run("token", "create", "ann", "--scope", "library")
      let token = created.output.trimmingCharacters(in: .whitespacesAndNewlines)
      let identifier = try #require(created.errors.firstMatch(of: /token (\w+),/)).output.1
      let north = try branch()
      try north.execute("INSERT INTO book VALUES ('b1', 'Dune')")
      for server in servers {
        try await server.synchronise(north, token, account: "ann")
      }
      let peers = try servers.map { try $0.peer(token) }
      let streams = peers.map { $0.pokes(for: [library]) }
      for stream in streams {
        var pokes = stream.makeAsyncIterator()
        let present = await pokes.next()
        #expect(present?.scope == library)
      }
      let listed = try await run("token", "list")

      let revoked = try await run("token", "revoke", String(identifier))

      #expect(listed.output.contains("ann\tlibrary\t"))
      #expect(!listed.output.contains(token))
      try #require(revoked.status == 0, "\(revoked.errors)")
      // Each server ends its open streams within about a second.
      for stream in streams { for await _ in stream {} }
      for server in servers {
        let isRefused = try await eventually {
          (try? await server.synchronise(north, token, account: "ann")) == nil
        }
        #expect(isRefused)
      }
      for peer in peers { await peer.close() }
    }

    // MARK: Maintaining

    @Test func `scopes in PostgreSQL are listed, compacted, verified and given new epochs`()
      async throws
    {
      let server = try await serve("server")
      let token = try #require(server.token)
      let north = try branch()
      try north.execute("INSERT INTO book VALUES ('b1', 'Dune')")
      try await server.synchronise(north, token)

      let scopes = try await run("scopes")
      let compacted = try await run("compact")
      let verified = try await run("verify")
      let restored = try await run("restore", "--epochs-only")
      let renewed = try await run("scopes")
      try await server.synchronise(north, token)

      #expect(scopes.output.contains("library\t1\t0\t1\t"))
      #expect(compacted.output.hasPrefix("library: removed 0 tombstones"))
      #expect(verified.output == "Verified 1 scope.\n")
      #expect(restored.output == "Began a new epoch of 1 scope.\n")
      #expect(renewed.output != scopes.output)
      #expect(try titles(north) == ["Dune"])
    }

    @Test func `damaged rows in PostgreSQL are reported`() async throws {
      let store = try database.makeStore()
      try store.addBook()

      let verified = try await run("verify")

      #expect(verified.status != 0)
      #expect(verified.output.contains("library"))
    }

    @Test(arguments: [["backup", "copy"], ["restore", "copy"]])
    func `the commands for backups name the tools of PostgreSQL`(arguments: [String]) async throws {
      let result = try await program.run(arguments + ["--postgres", database.address])

      #expect(result.status != 0)
      #expect(result.errors.contains("pg_dump"))
      #expect(result.errors.contains("--epochs-only"))
    }

    @Test(arguments: [
      ["scopes"], ["verify"], ["compact"], ["token", "list"], ["restore", "--epochs-only"],
    ])
    func `a command for existing data creates no tables`(arguments: [String]) async throws {
      let result = try await program.run(arguments + ["--postgres", database.address])

      #expect(result.status != 0)
      #expect(result.errors.contains("contains no tables of a store"), "\(result.errors)")
      let tables = try database.run(
        "SELECT relname FROM pg_class WHERE relname LIKE 'sync%'")
      #expect(tables.isEmpty)
    }

    @Test func `a folder and a database cannot be stated together`() async throws {
      let result = try await run("serve", "--data", directory.file("data"))

      #expect(result.status != 0)
      #expect(result.errors.contains("either --data or --postgres"), "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: directory.file("data")))
    }

    @Test func `the password of a connection string is in no message`() async throws {
      let address = "host=\(directory.path) password=secret dbname=library"

      let result = try await program.run(["scopes", "--postgres", address])

      #expect(result.status != 0)
      #expect(result.errors.contains("PostgreSQL"))
      #expect(!result.errors.contains("secret"))
    }
  }
#endif
