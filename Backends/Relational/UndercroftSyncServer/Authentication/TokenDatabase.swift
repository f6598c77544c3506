#if SyncServer
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSQLite

  /// The tokens in a SQLite file.
  struct TokenDatabase: TokenStorage {
    let database: Database

    init(at url: URL) throws {
      database = try Database(
        at: url,
        DatabaseOptions(durability: .powerLoss, lockTimeout: .seconds(30), observesRows: false))
      try TokenSchema.ensure(in: database)
    }

    func insert(_ token: StoredToken, onlyFirst: Bool) throws -> Bool {
      try database.write(from: .application) { db in
        if onlyFirst, try !TokenSchema.tokens(in: db).isEmpty { return false }
        try TokenSchema.insert(token.token, digest: token.digest, in: db)
        return true
      }
    }

    func revoke(_ identifier: String, at milliseconds: Int64) throws -> Bool {
      try database.write(from: .application) { db in
        try TokenSchema.revoke(identifier, at: milliseconds, in: db) > 0
      }
    }

    func note(uses: [ExactString: Int64]) throws {
      try database.write(from: .application) { db in
        for (identifier, milliseconds) in uses {
          try TokenSchema.note(identifier.text, usedAt: milliseconds, in: db)
        }
      }
    }

    func tokens(changedAfter change: Int64) throws -> (tokens: [StoredToken], change: Int64)? {
      try database.read { db in
        let last = try TokenSchema.changes(in: db)
        return last == change ? nil : (try TokenSchema.tokens(in: db), last)
      }
    }

    func close() throws { try database.close() }
  }
#endif
