#if SyncHTTP
  /// The reason for which an ``HTTPSyncPeer`` asks the application for a token.
  public enum TokenRequest: Sendable, Hashable {
    /// The peer has no token.
    case initial
    /// The server has refused the given token, which may have expired.
    case refused(String)
  }
#endif
