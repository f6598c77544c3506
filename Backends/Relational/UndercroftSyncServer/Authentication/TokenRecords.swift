#if SyncServer
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync

  /// The tokens in the store of a server.
  struct TokenRecords: TokenStorage {
    /// The body of a token, whose times are milliseconds since 1970.
    fileprivate struct Body: Codable {
      struct Rule: Codable {
        enum CodingKeys: String, CodingKey {
          case pattern = "pattern"
          case access = "access"
        }

        var pattern: String
        var access: Int
      }

      enum CodingKeys: String, CodingKey {
        case digest = "digest"
        case account = "account"
        case rules = "rules"
        case created = "created"
        case expires = "expires"
        case revoked = "revoked"
        case used = "used"
      }

      var digest: String
      var account: String
      var rules: [Rule]
      var created: Int64
      var expires: Int64?
      var revoked: Int64?
      var used: Int64?
    }

    let records: AccountRecords

    func insert(_ token: StoredToken, onlyFirst: Bool) throws -> Bool {
      try records.write { transaction in
        if onlyFirst, try !transaction.isEmpty(.tokens) { return false }
        try transaction.put(Body(token), token.token.identifier, in: .tokens)
        return true
      }
    }

    func revoke(_ identifier: String, at milliseconds: Int64) throws -> Bool {
      try records.write { transaction in
        guard var body = try transaction.value(Body.self, identifier, in: .tokens),
          body.revoked == nil
        else { return false }
        body.revoked = milliseconds
        try transaction.put(body, identifier, in: .tokens)
        return true
      }
    }

    func note(uses: [ExactString: Int64]) throws {
      try records.write { transaction in
        for (identifier, milliseconds) in uses {
          guard var body = try transaction.value(Body.self, identifier.text, in: .tokens),
            body.used ?? 0 < milliseconds
          else { continue }
          body.used = milliseconds
          try transaction.put(body, identifier.text, in: .tokens)
        }
      }
    }

    func tokens(changedAfter change: Int64) throws -> (tokens: [StoredToken], change: Int64)? {
      let (values, last) = try records.values(
        Body.self, in: .tokens, changedAfter: max(change, 0))
      guard last > change else { return nil }
      let sorted = values.sorted { ($0.value.created, $0.key) < ($1.value.created, $1.key) }
      return (sorted.map { $0.value.stored($0.key) }, last)
    }

    /// Does nothing, because others use the store.
    func close() throws {}
  }

  extension TokenRecords.Body {
    fileprivate init(_ stored: StoredToken) {
      let token = stored.token
      self.init(
        digest: stored.digest, account: token.account,
        rules: token.rules.map { Rule(pattern: $0.pattern, access: $0.access.rawValue) },
        created: token.creation.milliseconds, expires: token.expiration?.milliseconds,
        revoked: token.revocation?.milliseconds, used: token.lastUse?.milliseconds)
    }

    fileprivate func stored(_ identifier: String) -> StoredToken {
      StoredToken(
        digest: digest,
        token: AccessToken(
          identifier: identifier, account: account,
          rules: rules.map { ScopeRule($0.pattern, ScopeAccess(rawValue: $0.access) ?? .none) },
          creation: Date(milliseconds: created), expiration: expires.map { Date(milliseconds: $0) },
          revocation: revoked.map { Date(milliseconds: $0) },
          lastUse: used.map { Date(milliseconds: $0) }))
    }
  }
#endif
