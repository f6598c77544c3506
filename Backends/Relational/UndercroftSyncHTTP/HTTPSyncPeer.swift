#if SyncHTTP
  public import UndercroftFoundation
  public import UndercroftSync

  /// The access of replicas to a synchronisation server over HTTP.
  ///
  /// One peer serves all engines of an account. It keeps connections open between requests.
  public final class HTTPSyncPeer: SyncPeer {
    private let connection: ServerConnection
    private let hub: PokeHub

    /// Creates a peer, which connects with the first request.
    ///
    /// If the address of the server or an option cannot be used, the first request throws.
    ///
    /// - Parameters:
    ///   - server: the address of the server, such as `https://sync.example.org`. It can have a
    ///     path, to which the peer appends `/sync/v1`.
    ///   - options: the limits and rules of the connection.
    ///   - token: a closure that returns the token of the account. The peer stores the token until
    ///     the server refuses it.
    public convenience init(
      server: URL, options: HTTPSyncOptions = HTTPSyncOptions(),
      token: @escaping @Sendable (TokenRequest) async throws -> String
    ) {
      self.init(server: server, options: options, environment: .system, token: token)
    }

    /// Creates a peer with other sources of times and identifiers, for tests.
    package init(
      server: URL, options: HTTPSyncOptions, environment: SyncEnvironment,
      token: @escaping @Sendable (TokenRequest) async throws -> String
    ) {
      connection = ServerConnection(server, options, environment, token: token)
      hub = PokeHub(PokeReader(connection))
    }

    /// Sends a request, and returns the answer.
    ///
    /// A request is sent again after a failed connection and to an overloaded server, at most
    /// ``HTTPSyncOptions/attempts`` times. If the server refuses the token, the peer asks the
    /// application for another one, once.
    ///
    /// - Throws: a `StorageError`: `accessDenied` if the server refuses the token or the access,
    ///   `tooLarge` for a packet that must be divided, `notSupported` if the server supports only
    ///   other versions of the protocol, `full` if the storage of the account is used up, `misuse`
    ///   if the address or an option cannot be used, and `unavailable` for all other errors.
    ///   `CancellationError` if the task is cancelled.
    public func send(_ request: SyncRequest) async throws -> Data {
      try await connection.post(
        connection.message(to: request.endpoint.rawValue, request.body))
    }

    /// Returns a stream of pokes for the given scopes.
    ///
    /// All streams of a peer share one connection, on which the server sends events. If the network
    /// does not deliver the events in time (``HTTPSyncOptions/streamPatience``), the peer polls the
    /// server for an hour.
    ///
    /// The stream begins with one poke for each scope that exists. It ends when the connection is
    /// lost, or when the task that reads it is cancelled.
    public func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke> {
      hub.stream(for: scopes)
    }

    /// Ends all requests and streams, and closes all connections.
    ///
    /// Afterwards, every request throws a `StorageError` with the code `misuse`.
    public func close() async {
      hub.close()
      await connection.close()
    }
  }
#endif
