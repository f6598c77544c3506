#if SyncServer
  import JWTKit
  import UndercroftCore
  package import UndercroftFoundation
  import UndercroftSync

  /// An authenticator of JSON Web Tokens, which another service has issued. (RFC 7519)
  ///
  /// A token must have the claims `sub`, the name of the account, `exp` and `aud`. The claim
  /// `scopes` contains patterns of the scopes that the account may read and change, and
  /// `read_scopes` those that it may only read. In a configured pattern, `{account}` is replaced by
  /// the account.
  public final class JWTAuthenticator: Authenticator {
    private let keys: JWTKeyCollection
    private let algorithms: [JWTAlgorithmName]
    private let audience: String
    private let issuer: String?
    private let rules: [ScopeRule]
    private let now: @Sendable () -> Date

    /// The seconds by which the clock of the issuer may differ.
    private static let leeway: Double = 60
    /// The maximum number of bytes of a token.
    private static let maximumBytes = 8192

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - key: the key of the signatures.
    ///   - algorithms: the accepted algorithms, which must match the key.
    ///   - audience: the value that the claim `aud` must contain.
    ///   - issuer: the value of the claim `iss`, or `nil` to accept each issuer that has the key.
    ///   - rules: the access that each account has in addition to the claims of its token.
    /// - Throws: ``StorageError/Code/misuse`` if the key cannot be read, is too short, or does not
    ///   match the algorithms.
    public convenience init(
      key: JWTVerificationKey, algorithms: [JWTAlgorithmName], audience: String,
      issuer: String? = nil, rules: [ScopeRule] = []
    ) async throws {
      try await self.init(
        key: key, algorithms: algorithms, audience: audience, issuer: issuer, rules: rules,
        now: { Date() })
    }

    /// Creates an authenticator with a clock for tests.
    package init(
      key: JWTVerificationKey, algorithms: [JWTAlgorithmName], audience: String, issuer: String?,
      rules: [ScopeRule], now: @escaping @Sendable () -> Date
    ) async throws {
      self.algorithms = algorithms
      self.audience = audience
      self.issuer = issuer
      self.rules = rules
      self.now = now
      keys = JWTKeyCollection()
      guard !audience.isEmpty else { throw Self.unusable("the audience is empty") }
      try await keys.add(key, for: algorithms)
    }

    /// Returns the account of a token whose signature and claims are valid.
    public func authenticate(_ token: String) async throws -> Account {
      let parts = token.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3 else { throw TokenRefusal.unknown }
      guard token.utf8.count <= Self.maximumBytes else {
        throw TokenRefusal("the token is longer than \(Self.maximumBytes) bytes")
      }
      try requireAlgorithm(of: String(parts[0]))
      let claims: JWTClaims
      do { claims = try await keys.verify(token, as: JWTClaims.self) } catch {
        throw TokenRefusal(
          "the signature of the token is invalid, or the claim sub, exp or aud is missing")
      }
      return try account(of: claims)
    }

    /// Throws if the header of a token names an algorithm that is not configured.
    private func requireAlgorithm(of header: String) throws(TokenRefusal) {
      guard let header = JWTHeader(base64URL: header) else {
        throw TokenRefusal("the header of the token is malformed")
      }
      guard let name = JWTAlgorithmName(rawValue: header.algorithm), algorithms.contains(name)
      else {
        throw TokenRefusal("the algorithm of the token is not accepted")
      }
      // A token with critical extensions must be refused by a recipient that does not know them.
      guard !header.hasCriticalExtensions else {
        throw TokenRefusal("the token has critical extensions")
      }
    }

    private func account(of claims: JWTClaims) throws(TokenRefusal) -> Account {
      let now = now().timeIntervalSince1970
      guard claims.expiration.isFinite, claims.expiration > now - Self.leeway else {
        throw TokenRefusal("the token has expired")
      }
      guard (claims.notBefore ?? now) <= now + Self.leeway else {
        throw TokenRefusal("the token is not valid yet")
      }
      guard claims.audience.value.contains(where: { $0.isExactly(audience) }) else {
        throw TokenRefusal("the token is for another audience")
      }
      guard issuer == nil || claims.issuer?.exact == issuer?.exact else {
        throw TokenRefusal("the token is from another issuer")
      }
      let name = claims.subject
      guard (1...1024).contains(name.utf8.count), !name.utf8.contains(0) else {
        throw TokenRefusal("the claim sub of the token is not the name of an account")
      }
      let configured = rules.compactMap { rule -> ScopeRule? in
        guard rule.pattern.contains("{account}") else { return rule }
        // An account that ends with an asterisk would otherwise be a pattern of its own.
        guard !name.hasSuffix("*") else { return nil }
        return ScopeRule(rule.pattern.replacing("{account}", with: name), rule.access)
      }
      return Account(
        name: name,
        rules: configured + claims.scopes.map { ScopeRule($0, .readWrite) }
          + claims.readScopes.map { ScopeRule($0, .read) },
        expiration: Date(timeIntervalSince1970: claims.expiration + Self.leeway),
        tokenIdentifier: "jwt:" + (claims.identifier ?? name))
    }

    /// Returns the error for an unusable configuration.
    static func unusable(_ reason: String) -> StorageError {
      StorageError(
        .misuse, "cannot verify JSON Web Tokens: \(reason)",
        suggestion: "correct the key, the algorithms or the audience in the configuration")
    }
  }
#endif
