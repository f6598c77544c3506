#if SyncServer
  /// An authenticator that accepts the tokens of several others.
  public struct AuthenticatorList: Authenticator {
    private let members: [any Authenticator]

    /// Creates an authenticator that asks the given ones in order.
    public init(_ members: [any Authenticator]) { self.members = members }

    /// Returns the account from the first authenticator that accepts the token.
    ///
    /// - Throws: the first refusal other than ``TokenRefusal/unknown`` if no authenticator accepts
    ///   the token.
    public func authenticate(_ token: String) async throws -> Account {
      var refusal = TokenRefusal.unknown
      for member in members {
        do { return try await member.authenticate(token) } catch let error as TokenRefusal {
          if refusal == .unknown { refusal = error }
        }
      }
      throw refusal
    }

    /// Returns whether all authenticators still accept the token.
    public func isAccepted(_ account: Account) -> Bool {
      members.allSatisfy { $0.isAccepted(account) }
    }

    /// Refreshes all authenticators.
    public func refresh() throws { for member in members { try member.refresh() } }
  }
#endif
