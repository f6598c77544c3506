#if SyncPostgres
  import UndercroftCore

  extension PostgresSchema {
    private static let attempts = 20

    /// Creates the tables in an empty database, or verifies the format of the existing tables.
    ///
    /// Several processes can call this function at the same time. If the tables exist, the user of
    /// the connection needs no right to create tables.
    ///
    /// - Parameter createsTables: whether tables that do not exist are created.
    /// - Throws: ``StorageError/Code/notSupported`` for another format or another encoding than
    ///   UTF-8, and ``StorageError/Code/unavailable`` if the tables do not exist and must not be
    ///   created.
    static func ensure(
      on connection: PostgresConnection, createsTables: Bool
    ) throws(StorageError) {
      // A restored database can have the tables and another encoding.
      try requireUTF8(on: connection)
      var format = try existingFormat(on: connection)
      if format == nil {
        guard createsTables else { throw missingTables }
        try create(on: connection)
        format = try existingFormat(on: connection)
      }
      guard format == Self.format else {
        throw StorageError(
          .notSupported,
          "cannot open the synchronisation store: "
            + (format.map {
              """
              its tables have the format \($0), but this version of the library supports only the \
              format \(Self.format)
              """
            } ?? "the table \"sync_store\", which contains the format, has no row"),
          suggestion: format == nil
            ? "restore the database from a backup"
            : "open the store with the version of the library that created the tables",
          backend: PostgresFailure.backend)
      }
    }

    private static var missingTables: StorageError {
      StorageError(
        .unavailable,
        "cannot open the synchronisation store: the database contains no tables of a store",
        suggestion: """
          verify that the connection string names the database and the schema of a server, or start \
          the server, which creates the tables
          """, backend: PostgresFailure.backend)
    }

    private static let selectFormat = PostgresStatement(
      once: "SELECT format FROM sync_store WHERE one = 1")

    /// Returns the format in the database, or `nil` if the tables do not exist or are not complete.
    private static func existingFormat(
      on connection: PostgresConnection
    ) throws(StorageError) -> Int64? {
      do throws(PostgresFailure) {
        return try connection.run(PostgresCommand(selectFormat)).first?.int(0)
      } catch {
        if case .refused(.undefinedTable, _) = error { return nil }
        throw error.storageError("open the synchronisation store")
      }
    }

    private static let selectEncoding = PostgresStatement(
      once: "SELECT current_setting('server_encoding')::text, version()::text")

    private static func requireUTF8(on connection: PostgresConnection) throws(StorageError) {
      let encoding: String?
      do throws(PostgresFailure) {
        encoding = try connection.run(PostgresCommand(selectEncoding)).first?.text(0)
      } catch { throw error.storageError("open the synchronisation store") }
      guard let encoding, !encoding.hasPrefix("UTF") else { return }
      throw StorageError(
        .notSupported,
        """
        cannot open the synchronisation store: the database has the encoding \(quoted(encoding)), \
        in which some names cannot be stored
        """,
        suggestion: "create the database with ENCODING 'UTF8' and TEMPLATE template0",
        backend: PostgresFailure.backend)
    }

    private static func create(on connection: PostgresConnection) throws(StorageError) {
      do throws(PostgresFailure) {
        let version = try connection.run(PostgresCommand(selectEncoding)).first?.text(1) ?? ""
        // CockroachDB compares texts by their bytes, and treats a collation as another type.
        let collation = version.contains("CockroachDB") ? "" : #" COLLATE "C""#
        for statement in statements(collation: collation) {
          try create(statement, on: connection)
        }
      } catch { throw error.storageError("create the tables of the synchronisation store") }
    }

    /// Runs a statement that creates a table or an index, and repeats it if another process creates
    /// the same object at the same time.
    ///
    /// `IF NOT EXISTS` does not prevent an error in this case: the second of two transactions
    /// violates a unique index of the system catalogue.
    private static func create(
      _ sql: String, on connection: PostgresConnection
    ) throws(PostgresFailure) {
      for attempt in 1... {
        do throws(PostgresFailure) {
          _ = try connection.run(PostgresCommand(PostgresStatement(once: sql)))
          return
        } catch {
          guard attempt < attempts, case .refused(let state, _) = error, state.isRaceOfCreation
          else { throw error }
          pauseThread(for: .milliseconds(Int.random(in: 5...100)))
        }
      }
    }
  }

  extension SQLState {
    fileprivate var isRaceOfCreation: Bool {
      asksForRetry
        || [.uniqueViolation, .duplicateTable, .duplicateObject, .internalError].contains(self)
    }
  }
#endif
