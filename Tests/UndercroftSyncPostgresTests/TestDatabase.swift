#if SyncPostgres
  import NetworkTestSupport
  import Testing
  import UndercroftSyncPostgres

  /// A new database on the PostgreSQL server that the tests share.
  struct TestDatabase {
    /// The connection string.
    let address: String

    /// Creates an empty database.
    ///
    /// - Parameter options: the options of `CREATE DATABASE`.
    init(_ options: String = "") throws {
      address = try PostgresCluster.shared.makeDatabase(options)
    }

    /// Opens the store of the database, as a process of a server does.
    func makeStore(
      _ options: PostgresSyncOptions = PostgresSyncOptions()
    ) throws -> PostgresSyncStore {
      try PostgresSyncStore(address, options: options)
    }

    /// Runs statements on a connection of their own, and returns the rows of the last one as text.
    @discardableResult
    func run(_ sql: String) throws -> [[String?]] { try SQLSession(address).run(sql) }

    /// Ends all other connections, as an operator or a restart does.
    func endConnections() throws {
      try run(
        """
        SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
        """)
    }

    /// Creates a user without rights, and returns the name of the user.
    ///
    /// - Parameter options: the options of `CREATE ROLE`.
    func makeUser(_ options: String = "LOGIN") throws -> String {
      // The users are those of all databases, so each name contains the name of a database.
      let name = try #require(try run("SELECT 'librarian_' || current_database()").first?.first)
      let user = try #require(name)
      try run("CREATE ROLE \(user) \(options)")
      return user
    }

    /// Returns the connection string for another user.
    func address(of user: String) -> String {
      address.replacing("user=postgres", with: "user=\(user)")
    }
  }
#endif
