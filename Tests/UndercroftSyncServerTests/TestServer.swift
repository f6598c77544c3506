#if SyncServer
  import Foundation
  import Logging
  import NetworkTestSupport
  import ServiceLifecycle
  import Synchronization
  import TestSupport
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncServer

  /// A server on a free port of the loopback interface, for one test.
  final class TestServer: Sendable {
    let sync: SyncServer
    let store: any SyncServerStore
    let tokens: TokenStore
    let port: Int
    let adminPort: Int?
    private let group: ServiceGroup

    private init(
      _ sync: SyncServer, _ store: any SyncServerStore, _ tokens: TokenStore,
      _ ports: (Int, Int?), _ group: ServiceGroup
    ) {
      self.sync = sync
      self.store = store
      self.tokens = tokens
      (port, adminPort) = ports
      self.group = group
    }

    /// Runs `body` with a server, which is stopped afterwards.
    ///
    /// The server runs on the shared threads, so `body` must not wait for it without suspending.
    ///
    /// - Parameters:
    ///   - authenticator: the authenticator instead of the store of tokens.
    ///   - place: the place of the tokens.
    ///   - log: receives the messages of the server.
    ///   - access: the access of accounts that the server itself grants.
    static func run<Result: Sendable>(
      limits: ServerLimits = ServerLimits(), options: ServerOptions = ServerOptions(),
      syncLimits: SyncLimits = SyncLimits(), schema: SchemaWindow = SchemaWindow(),
      store: any SyncServerStore = InMemorySyncStore(),
      authenticator: (any Authenticator)? = nil, tokens place: TokenPlace = .file,
      log: RecordedLog = RecordedLog(),
      validate: @escaping @Sendable (ProposedChange) -> OperationRejection? = { _ in nil },
      access: @escaping @Sendable (String, ScopeIdentifier) -> ScopeAccess = { _, _ in .readWrite },
      _ body: (TestServer) async throws -> Result
    ) async throws -> Result {
      let directory = try TemporaryDirectory()
      defer { withExtendedLifetime(directory) {} }
      let sync = SyncServer(
        store: store, limits: syncLimits, schema: schema, validate: validate, access: access)
      let tokens = try place.open(directory.url.appending(path: "accounts.sqlite"), store)
      var options = options
      options.port = 0
      let (ports, report) = AsyncStream.makeStream(of: (Int, Int?).self)
      let http = try SyncHTTPServer(
        sync, authenticator: authenticator ?? tokens, limits: limits, options: options,
        tokens: tokens, logger: log.logger,
        onListening: { report.yield(($0, $1)) })
      let group = ServiceGroup(
        services: [http], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      let running = Task {
        // A server that ends before it listens must not leave the test waiting for its ports.
        defer { report.finish() }
        try await group.run()
      }
      guard let ports = await ports.first(where: { _ in true }) else {
        try await running.value
        throw RawConnection.Closed()
      }
      let server = TestServer(sync, store, tokens, ports, group)
      do {
        let result = try await body(server)
        await group.triggerGracefulShutdown()
        try await running.value
        return result
      } catch {
        await group.triggerGracefulShutdown()
        try await running.value
        throw error
      }
    }

    /// Begins to stop the server.
    func stop() async { await group.triggerGracefulShutdown() }

    /// Creates a token, and returns its secret.
    func token(
      _ account: String, _ rules: [ScopeRule] = [ScopeRule("*")], expiration: Date? = nil
    ) throws -> String {
      try tokens.create(account: account, rules: rules, expiration: expiration).secret
    }

    /// Sends a request on a new connection, and returns the answer.
    func send(_ request: HTTPRequestText, admin: Bool = false) async throws -> HTTPAnswer {
      try await send(request.data, admin: admin)
    }

    /// Sends bytes on a new connection, and returns the answer.
    func send(_ data: Data, admin: Bool = false) async throws -> HTTPAnswer {
      let port = admin ? adminPort ?? port : port
      return try await onNewThread {
        let connection = try RawConnection(port: port)
        try connection.send(data)
        return try connection.readAnswer()
      }
    }
  }
#endif
