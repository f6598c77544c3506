#if SyncServer
  /// A verifier of the tokens of requests.
  public protocol Authenticator: Sendable {
    /// Returns the account of a token.
    ///
    /// - Throws: ``TokenRefusal`` for a token that is unknown, malformed, expired or revoked. Any
    ///   other error means that the token cannot be verified now.
    func authenticate(_ token: String) async throws -> Account

    /// Returns whether a token that was accepted before has not been revoked since.
    ///
    /// The server calls this function each second for each open event stream. The server itself
    /// compares the expiration.
    func isAccepted(_ account: Account) -> Bool

    /// Does the regular work of the authenticator, such as reading the tokens that another process
    /// has revoked.
    ///
    /// The server calls this function each second, on a thread that may block.
    func refresh() throws
  }

  extension Authenticator {
    /// Returns `true`.
    public func isAccepted(_ account: Account) -> Bool { true }

    /// Does nothing.
    public func refresh() throws {}
  }

  /// The error for a token that is not accepted.
  public struct TokenRefusal: Error, Sendable, Hashable {
    /// The reason, which is sent to the client.
    public let reason: String

    /// Creates a refusal.
    ///
    /// - Parameter reason: the reason, which must not contain the token.
    public init(_ reason: String) { self.reason = reason }

    /// The refusal of a token that is not a token of the authenticator.
    public static let unknown = TokenRefusal("the token is unknown")
  }
#endif
