#if SyncServer
  import UndercroftCore

  /// The place in which a ``TokenStore`` stores its tokens.
  ///
  /// Several processes can use one place at the same time.
  protocol TokenStorage: Sendable {
    /// Stores a new token, and returns whether it was stored.
    ///
    /// - Parameter onlyFirst: whether the token is stored only if there is no other token.
    func insert(_ token: StoredToken, onlyFirst: Bool) throws -> Bool

    /// Stores the time of revocation, in milliseconds since 1970, and returns whether there is a
    /// token that was not revoked before.
    func revoke(_ identifier: String, at milliseconds: Int64) throws -> Bool

    /// Stores the times of the last use, in milliseconds since 1970, by the identifiers of tokens.
    func note(uses: [ExactString: Int64]) throws

    /// Returns at least the tokens that were changed after a change, in the order of their
    /// creation, with the number of the last change, or `nil` if nothing was changed.
    ///
    /// - Parameter change: the number of the last change that is known, or -1 for all tokens.
    func tokens(changedAfter change: Int64) throws -> (tokens: [StoredToken], change: Int64)?

    /// Closes what was opened for the tokens only.
    func close() throws
  }

  /// A token with the digest of its secret.
  struct StoredToken: Sendable {
    let digest: String
    let token: AccessToken
  }
#endif
