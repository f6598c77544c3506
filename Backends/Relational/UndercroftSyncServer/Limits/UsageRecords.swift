#if SyncServer
  import UndercroftSync

  /// The owners and bytes of scopes, in the store of a server.
  struct UsageRecords: UsageStorage {
    private struct Scope: Codable {
      enum CodingKeys: String, CodingKey {
        case account = "account"
        case bytes = "bytes"
        case head = "head"
      }

      var account: String
      var bytes: Int64
      /// The version of the scope at which its rows were measured.
      var head: Int64
    }

    private struct Account: Codable {
      enum CodingKeys: String, CodingKey { case scopes = "scopes" }

      /// The number of scopes that belong to the account.
      var scopes: Int
    }

    let records: AccountRecords

    func owner(
      of scope: ScopeIdentifier, orElse account: String, limit: Int?
    ) throws -> String? {
      try records.write { transaction -> String? in
        if let stored = try transaction.value(Scope.self, scope.text, in: .scopes) {
          return stored.account
        }
        var owner =
          try transaction.value(Account.self, account, in: .accounts) ?? Account(scopes: 0)
        if let limit, owner.scopes >= limit { return nil }
        owner.scopes += 1
        try transaction.put(owner, account, in: .accounts)
        try transaction.put(
          Scope(account: account, bytes: 0, head: 0), scope.text, in: .scopes)
        return account
      }
    }

    func add(_ bytes: [ScopeIdentifier: Int64]) throws {
      try records.write { transaction in
        for (scope, bytes) in bytes {
          guard var stored = try transaction.value(Scope.self, scope.text, in: .scopes) else {
            continue
          }
          stored.bytes += bytes
          try transaction.put(stored, scope.text, in: .scopes)
        }
      }
    }

    func replace(bytes: Int64, of scope: ScopeIdentifier, at head: Int64) throws -> Int64? {
      try records.write { transaction -> Int64? in
        guard let stored = try transaction.value(Scope.self, scope.text, in: .scopes) else {
          return nil
        }
        try transaction.put(
          Scope(account: stored.account, bytes: bytes, head: head), scope.text, in: .scopes)
        return stored.bytes
      }
    }

    func scopes() throws -> [ScopeUsage] {
      try records.values(Scope.self, in: .scopes).values.map { key, scope in
        ScopeUsage(scope: ScopeIdentifier(key), account: scope.account, bytes: scope.bytes)
      }
    }
  }
#endif
