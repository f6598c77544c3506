#if SyncPostgres
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncPostgres

  @Suite(.timeLimit(.hangLimit)) struct PostgresConnectionTests {
    @Test func `a server that does not run is reported without the password`() throws {
      let folder = try TemporaryDirectory()
      let address = "host=\(folder.path) user=ann password=secret dbname=library"

      let error = storageError { _ = try PostgresSyncStore(address) }

      #expect(error?.code == .unavailable)
      #expect(error?.suggestion?.contains("verify that PostgreSQL is running") == true)
      #expect(error?.description.contains("secret") == false)
    }

    @Test(arguments: ["postgresql://ann:secret@[host/library", "host='a password=secret"])
    func `a connection string that cannot be read is reported without the password`(
      address: String
    ) throws {
      let error = storageError { _ = try PostgresSyncStore(address) }

      #expect(error?.code == .misuse)
      #expect(error?.suggestion != nil)
      #expect(error?.description.contains("secret") == false)
    }

    @Test func `a database that does not exist is reported`() throws {
      let address = try PostgresCluster.shared.address(of: "unknown_library")

      let error = storageError { _ = try PostgresSyncStore(address) }

      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("unknown_library") == true)
      #expect(error?.message.contains("SQLSTATE 3D000") == true)
      #expect(error?.message.contains("LOCATION") == false)
      #expect(error?.suggestion?.contains("create the database") == true)
    }

    @Test func `a user who does not exist or may not log in is reported`() throws {
      let database = try TestDatabase()
      let user = try database.makeUser("NOLOGIN")

      for user in [user, "unknown"] {
        let error = storageError { _ = try PostgresSyncStore(database.address(of: user)) }

        #expect(error?.code == .accessDenied)
        #expect(error?.message.contains("SQLSTATE 28000") == true)
        #expect(error?.suggestion?.contains("pg_hba.conf") == true)
      }
    }

    @Test func `a user without the right to connect is reported`() throws {
      let database = try TestDatabase()
      let user = try database.makeUser()
      try database.run(
        """
        DO $$ BEGIN
          EXECUTE format('REVOKE CONNECT ON DATABASE %I FROM PUBLIC', current_database());
        END $$
        """)

      let error = storageError { _ = try PostgresSyncStore(database.address(of: user)) }

      #expect(error?.code == .accessDenied)
      #expect(error?.suggestion?.contains("CONNECT") == true)
    }

    @Test func `a server that accepts no further connection is reported`() throws {
      let database = try TestDatabase()
      _ = try database.makeStore()
      let user = try database.makeUser("LOGIN CONNECTION LIMIT 1")
      try database.run("GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(user)")
      let store = try PostgresSyncStore(database.address(of: user))

      let error = try store.read(in: library) { reader in
        _ = try reader.scope()
        return storageError { _ = try store.head() }
      }

      #expect(error?.code == .unavailable)
      #expect(error?.suggestion?.contains("max_connections") == true)
      #expect(try store.head() == nil)
    }

    @Test func `a server that accepts connections but never answers is given up`() throws {
      let folder = try TemporaryDirectory()
      let silent = try SilentSocket(at: folder.file(".s.PGSQL.5432"))

      let error = storageError {
        _ = try PostgresSyncStore(
          "host=\(folder.path)", options: PostgresSyncOptions(connectTimeout: .milliseconds(100)))
      }

      withExtendedLifetime(silent) {}
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("has not answered") == true)
    }

    @Test func `options near the maximum of their types are no limits`() throws {
      let longest = Duration.seconds(Int64.max)
      let options = PostgresSyncOptions(
        maximumConnections: .max, poolTimeout: longest, connectTimeout: longest,
        lockTimeout: longest, statementTimeout: longest, attempts: .max)

      let store = try TestDatabase().makeStore(options)

      #expect(try store.addBook() == 1)
    }

    @Test(.heavy) func `a connection whose server stops answering is given up`() throws {
      let database = try TestDatabase()
      let store = try database.makeStore(PostgresSyncOptions(statementTimeout: .seconds(2)))
      try store.addBook()
      let row = try database.run(
        """
        SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
            AND backend_type = 'client backend'
        """
      ).first
      let backend = try #require(row?.first?.flatMap { Int32($0) })

      kill(backend, SIGSTOP)
      let error = storageError { try store.addBook() }
      kill(backend, SIGCONT)

      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("has not answered") == true)
      #expect(try store.addBook() == 2)
    }
  }

  /// A Unix socket whose connections are never answered.
  private final class SilentSocket {
    private let descriptor: Int32

    init(at path: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let bound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      guard descriptor >= 0, bound == 0, listen(descriptor, 8) == 0 else {
        throw CocoaError(.fileWriteUnknown)
      }
    }

    deinit { close(descriptor) }
  }
#endif
