#if SyncServer
  /// The limits that protect a server from too many, too large and too slow requests.
  ///
  /// The limits of the messages themselves, such as the operations of a packet, are those of the
  /// ``SyncServer``.
  public struct ServerLimits: Sendable, Hashable {
    /// The maximum number of bytes of a request's body, at least 1, before and after decompression.
    ///
    /// A smaller number than the default of 16 MiB refuses large rows that the protocol allows.
    public var bodyBytes: Int = 16 << 20
    /// The maximum number of bytes of all bodies that the server holds at a time, at least 1.
    public var pendingBodyBytes: Int = 512 << 20
    /// The seconds in which the body of a request must arrive; more than 0.
    public var bodySeconds: Double = 60
    /// The seconds after which a connection without a complete request is closed; more than 0.
    public var idleSeconds: Double = 120
    /// The maximum number of connections, at least 1; further ones wait until a connection is
    /// closed.
    ///
    /// Each connection is an open file, and the store needs further ones, so the process must be
    /// allowed to open more files.
    public var connections: Int = 10_000
    /// The number of requests that an account may send per second on average, at least 0.001.
    public var requestsPerSecond: Double = 1_000
    /// The number of requests that an account may send at once, at least 1.
    public var requestBurst: Int = 2_000
    /// The maximum number of event streams and waiting requests of an account, or 0 for none.
    public var streams: Int = 1_000
    /// The maximum number of scopes of an event stream or a waiting request.
    public var streamScopes: Int = 1_000
    /// The maximum number of requests that use the store at a time, at least 1.
    public var threads: Int = 16
    /// The maximum number of requests that wait for the store, or 0 for none.
    public var waitingRequests: Int = 1_000
    /// The maximum number of scopes that an account may create, or `nil` for no limit.
    public var scopesPerAccount: Int? = nil
    /// The maximum number of bytes that an account may store, or `nil` for no limit.
    public var bytesPerAccount: Int64? = nil

    /// Creates the default limits.
    public init() {}
  }
#endif
