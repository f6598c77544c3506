#if SyncServer
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSQLite
  import UndercroftSync

  /// The tables of a ``TokenDatabase`` and a ``UsageDatabase``.
  enum TokenSchema {
    /// The version of the file format.
    private static let format: Int64 = 1

    /// Creates the tables in an empty file, or verifies the format of an existing file.
    static func ensure(in database: Database) throws {
      try database.write(from: .application) { db in
        guard try db.tableExists("account_store") else {
          try db.executeScript(tables)
          try db.execute("INSERT INTO account_store VALUES (1, \(format), 0)")
          return
        }
        let found: Int64? = try db.fetchValue("SELECT format FROM account_store")
        guard found == format else {
          throw StorageError(
            .notSupported,
            """
            cannot open the tokens \(quoted(database.location?.path ?? "")): the file has another \
            format than \(format), the only one that this version supports
            """,
            suggestion: "open the file with the version of the server that wrote it",
            backend: SQLiteBackend.name)
        }
      }
    }

    private static let tables: SQL = """
      -- changes: increased with each change of a token, so that other processes detect it.
      CREATE TABLE account_store(
        one INTEGER PRIMARY KEY CHECK(one = 1), format INTEGER NOT NULL, changes INTEGER NOT NULL)
        STRICT;
      CREATE TABLE account_token(
        token_id INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, digest TEXT NOT NULL UNIQUE,
        account TEXT NOT NULL, created_ms INTEGER NOT NULL, expires_ms INTEGER,
        revoked_ms INTEGER, used_ms INTEGER) STRICT;
      -- access: 1 for reading, 2 for reading and writing.
      CREATE TABLE account_rule(
        token_id INTEGER NOT NULL REFERENCES account_token, pattern TEXT NOT NULL,
        access INTEGER NOT NULL, PRIMARY KEY(token_id, pattern)) STRICT, WITHOUT ROWID;
      -- bytes: those of the scope at its version `measured_head`, and those of later packets.
      CREATE TABLE account_scope(
        scope TEXT PRIMARY KEY, account TEXT NOT NULL, bytes INTEGER NOT NULL,
        measured_head INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE INDEX account_scope_account ON account_scope(account);
      """

    static func insert(_ token: AccessToken, digest: String, in db: Connection) throws {
      let expiration = token.expiration?.milliseconds
      try db.execute(
        """
        INSERT INTO account_token(identifier, digest, account, created_ms, expires_ms)
          VALUES (\(token.identifier), \(digest), \(token.account), \(token.creation.milliseconds),
            \(expiration))
        """)
      let number = db.lastInsertedRowID
      for rule in token.rules {
        try db.execute(
          """
          INSERT INTO account_rule VALUES (\(number), \(rule.pattern), \(rule.access.rawValue))
            ON CONFLICT DO UPDATE SET access = max(access, excluded.access)
          """)
      }
      try countChange(in: db)
    }

    static func revoke(_ identifier: String, at milliseconds: Int64, in db: Connection) throws
      -> Int
    {
      let count = try db.execute(
        """
        UPDATE account_token SET revoked_ms = \(milliseconds)
          WHERE identifier = \(identifier) AND revoked_ms IS NULL
        """)
      if count > 0 { try countChange(in: db) }
      return count
    }

    /// Stores the day on which a token was used.
    static func note(_ identifier: String, usedAt milliseconds: Int64, in db: Connection) throws {
      let count = try db.execute(
        """
        UPDATE account_token SET used_ms = \(milliseconds)
          WHERE identifier = \(identifier) AND coalesce(used_ms, 0) < \(milliseconds)
        """)
      if count > 0 { try countChange(in: db) }
    }

    private static func countChange(in db: Connection) throws {
      try db.execute("UPDATE account_store SET changes = changes + 1")
    }

    static func changes(in db: Connection) throws -> Int64 {
      try db.fetchValue("SELECT changes FROM account_store") ?? 0
    }

    static func tokens(in db: Connection) throws -> [StoredToken] {
      var rules: [Int64: [ScopeRule]] = [:]
      try db.forEach("SELECT token_id, pattern, access FROM account_rule") { row in
        let access = ScopeAccess(rawValue: try row[2]) ?? .none
        rules[try row[0], default: []].append(ScopeRule(try row[1], access))
      }
      return try db.fetchAll(
        """
        SELECT token_id, identifier, digest, account, created_ms, expires_ms, revoked_ms, used_ms
          FROM account_token ORDER BY token_id
        """
      ) { row in
        StoredToken(
          digest: try row[2],
          token: AccessToken(
            identifier: try row[1], account: try row[3], rules: rules[try row[0]] ?? [],
            creation: Date(milliseconds: try row[4]),
            expiration: (try row[5] as Int64?).map { Date(milliseconds: $0) },
            revocation: (try row[6] as Int64?).map { Date(milliseconds: $0) },
            lastUse: (try row[7] as Int64?).map { Date(milliseconds: $0) }))
      }
    }
  }
#endif
