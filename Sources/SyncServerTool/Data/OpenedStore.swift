#if SyncServer
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncServer

  #if SyncPostgres
    import UndercroftSyncPostgres
  #endif

  /// The scopes and tokens that the settings name: those of a PostgreSQL database if a connection
  /// string is stated, or those of a folder.
  enum OpenedStore {
    /// Opens the scopes.
    ///
    /// - Parameter mustExist: whether it is an error if the files or tables do not exist.
    static func open(_ settings: Settings, mustExist: Bool) throws -> any SyncServerStore {
      guard let connection = try settings.postgres() else {
        let folder = DataFolder(try settings.folder())
        return mustExist
          ? try folder.openExistingStore()
          : try folder.openStore(shards: try settings.integer(.shards))
      }
      return try openPostgres(connection, settings, mustExist: mustExist)
    }

    /// Opens the tokens.
    ///
    /// - Parameter mustExist: whether it is an error if the file or the tables do not exist.
    static func tokens(_ settings: Settings, mustExist: Bool) throws -> TokenStore {
      guard try settings.postgres() == nil else {
        return try TokenStore(in: try open(settings, mustExist: mustExist))
      }
      let folder = DataFolder(try settings.folder())
      if mustExist { try folder.requireTokens() } else { try folder.create() }
      return try folder.openTokens()
    }

    /// The number of files that the scopes and tokens need while many requests use them.
    static func fileCount(_ settings: Settings) throws -> Int {
      if try settings.postgres() != nil { return try settings.integer(.postgresConnections) ?? 8 }
      // Six connections to SQLite with two files each, and one file of shared memory.
      let filesPerDatabase = 13
      let shards = DataFolder(try settings.folder()).storeFiles().count
      return filesPerDatabase * (shards + 1)
    }

    private static func openPostgres(
      _ connection: String, _ settings: Settings, mustExist: Bool
    ) throws -> any SyncServerStore {
      #if SyncPostgres
        var options = PostgresSyncOptions()
        if let count = try settings.integer(.postgresConnections) {
          options.maximumConnections = count
        }
        return try PostgresSyncStore(connection, options: options, createsTables: !mustExist)
      #else
        throw StorageError(
          .notSupported, "cannot use PostgreSQL: the tool was built without the trait SyncPostgres",
          suggestion: "build the package with --traits SyncServer,SyncPostgres")
      #endif
    }

    /// Connects a server on PostgreSQL to the other processes on the same database.
    static func connect(_ server: SyncServer, _ settings: Settings) throws {
      #if SyncPostgres
        guard let connection = try settings.postgres() else { return }
        server.connect(to: PostgresPokeBus(try settings.string(.postgresListen) ?? connection))
      #endif
    }

    /// Throws if the settings name a PostgreSQL database, because the tools of PostgreSQL do the
    /// work of the command.
    static func requireSQLite(_ settings: Settings, to action: String) throws {
      guard try settings.postgres() != nil else { return }
      throw StorageError(
        .notSupported, "cannot \(action) a PostgreSQL database: its own tools do this",
        suggestion: """
          use pg_dump and pg_restore, and after a restoration the command restore --epochs-only
          """)
    }
  }
#endif
