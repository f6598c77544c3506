#if SyncHTTP
  public import UndercroftFoundation

  /// The proxy through which an ``HTTPSyncPeer`` connects.
  public enum HTTPSyncProxy: Sendable, Hashable {
    /// The proxy that the environment of the process names when the peer is created, if any.
    ///
    /// The variables are `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, also in upper
    /// case.
    case environment
    /// No proxy.
    case none
    /// The proxy at an address such as `http://user:password@proxy.example.org:3128` or
    /// `socks5://proxy.example.org:1080`.
    case server(URL)
  }
#endif
