#if SyncServer
  import UndercroftSQLite
  import UndercroftSync

  /// The owners and bytes of scopes, in the SQLite file of a ``TokenDatabase``.
  struct UsageDatabase: UsageStorage {
    let database: Database

    func owner(
      of scope: ScopeIdentifier, orElse account: String, limit: Int?
    ) throws -> String? {
      try database.write(from: .application) { db -> String? in
        let stored: String? = try db.fetchValue(
          "SELECT account FROM account_scope WHERE scope = \(scope.text)")
        if let stored { return stored }
        let count: Int =
          try db.fetchValue("SELECT count(*) FROM account_scope WHERE account = \(account)") ?? 0
        if let limit, count >= limit { return nil }
        try db.execute("INSERT INTO account_scope VALUES (\(scope.text), \(account), 0, 0)")
        return account
      }
    }

    func add(_ bytes: [ScopeIdentifier: Int64]) throws {
      try database.write(from: .application) { db in
        for (scope, bytes) in bytes {
          try db.execute(
            "UPDATE account_scope SET bytes = bytes + \(bytes) WHERE scope = \(scope.text)")
        }
      }
    }

    func replace(bytes: Int64, of scope: ScopeIdentifier, at head: Int64) throws -> Int64? {
      try database.write(from: .application) { db -> Int64? in
        let last: Int64? = try db.fetchValue(
          "SELECT bytes FROM account_scope WHERE scope = \(scope.text)")
        try db.execute(
          """
          UPDATE account_scope SET bytes = \(bytes), measured_head = \(head)
            WHERE scope = \(scope.text)
          """)
        return last
      }
    }

    func scopes() throws -> [ScopeUsage] {
      try database.read { db in
        try db.fetchAll("SELECT scope, account, bytes FROM account_scope") { row in
          ScopeUsage(scope: ScopeIdentifier(try row[0]), account: try row[1], bytes: try row[2])
        }
      }
    }
  }
#endif
