#if SyncHTTP
  public import UndercroftFoundation

  /// The limits and rules by which an ``HTTPSyncPeer`` connects to its server.
  public struct HTTPSyncOptions: Sendable, Hashable {
    /// The maximum number of times that a request is sent, if the connection fails, or if the
    /// server is overloaded.
    ///
    /// A request that the peer repeats because the server refused its token is not counted.
    public var attempts: Int = 4
    /// The maximum duration of the first wait between two attempts.
    ///
    /// It is doubled for each further wait. The peer waits for a random part of it, so that devices
    /// do not act together.
    public var shortestBackOff: Duration = .milliseconds(500)
    /// The maximum duration of every wait between two attempts.
    ///
    /// If the server demands a longer wait (`Retry-After`), or any wait after the last attempt, the
    /// request fails. Further requests fail immediately until that time, but for at most one hour.
    public var longestBackOff: Duration = .seconds(30)
    /// The maximum duration of establishing a connection, including the handshake of TLS.
    public var connectTimeout: Duration = .seconds(10)
    /// The maximum duration without any byte from the server.
    ///
    /// It must be longer than the interval of the server's heartbeat, which is 20 seconds by
    /// default.
    public var idleTimeout: Duration = .seconds(60)
    /// The maximum duration of one attempt, from sending the request to the last byte of the
    /// answer.
    ///
    /// Time during which the system sleeps is not counted.
    public var requestTimeout: Duration = .seconds(300)
    /// The maximum duration until the first byte of a stream of events arrives.
    ///
    /// After this time, the peer polls the server instead, because some networks deliver a response
    /// only when it is complete. It must be longer than the interval of the server's heartbeat.
    public var streamPatience: Duration = .seconds(30)
    /// The duration for which the server delays its answer if the peer polls, as long as nothing
    /// changes.
    ///
    /// The peer asks for at most half of ``idleTimeout``.
    public var pollDuration: Duration = .seconds(25)
    /// Whether the peer compresses requests of at least 1,024 bytes, and accepts compressed
    /// answers.
    public var usesCompression: Bool = true
    /// Whether the peer sends tokens and rows without encryption to an address that is not a
    /// loopback address.
    public var allowsPlainHTTP: Bool = false
    /// The proxy through which the peer connects.
    public var proxy: HTTPSyncProxy = .environment
    /// The location of a file with certificates in PEM format that the peer trusts in addition to
    /// those of the system, or `nil` for none.
    public var trustedCertificates: URL?

    /// Creates the default options.
    public init() {}
  }
#endif
