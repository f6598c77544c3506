#if SyncServer
  import UndercroftCore
  import UndercroftSync

  #if SyncPostgres
    import UndercroftSyncPostgres
  #endif

  /// The store of the scopes that the settings name.
  enum OpenedStore {
    /// Opens the store of the settings: PostgreSQL if a connection string is stated, or SQLite
    /// files in the folder.
    ///
    /// - Parameter mustExist: whether it is an error if the SQLite files do not exist.
    static func open(
      _ settings: Settings, _ folder: DataFolder, mustExist: Bool
    ) throws -> any SyncServerStore {
      guard let connection = settings.string("postgres") else {
        return mustExist
          ? try folder.openExistingStore()
          : try folder.openStore(shards: try settings.integer("shards"))
      }
      return try openPostgres(connection)
    }

    private static func openPostgres(_ connection: String) throws -> any SyncServerStore {
      #if SyncPostgres
        return try PostgresSyncStore(connection)
      #else
        throw StorageError(
          .notSupported, "cannot use PostgreSQL: the tool was built without the trait SyncPostgres",
          suggestion: "build the package with --traits SyncServer,SyncPostgres")
      #endif
    }

    /// Connects a server on PostgreSQL to the other processes on the same database.
    static func connect(_ server: SyncServer, _ settings: Settings) {
      #if SyncPostgres
        guard let connection = settings.string("postgres") else { return }
        server.connect(to: PostgresPokeBus(settings.string("postgresListen") ?? connection))
      #endif
    }

    /// Throws if the settings name a PostgreSQL database, because the tools of PostgreSQL do the
    /// work of the command.
    static func requireSQLite(_ settings: Settings, to action: String) throws {
      guard settings.string("postgres") != nil else { return }
      throw StorageError(
        .notSupported, "cannot \(action) a PostgreSQL database",
        suggestion: "use pg_dump and pg_restore, and then the command restore --epochs-only")
    }
  }
#endif
