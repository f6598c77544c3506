#if SyncServer
  import Hummingbird
  import HummingbirdCore
  import HummingbirdTLS
  public import Logging
  import NIOCore
  import NIOSSL
  public import ServiceLifecycle
  import UndercroftCore
  public import UndercroftSync

  /// A server of synchronisation over HTTP.
  ///
  /// ```swift
  /// let server = SyncServer(store: store, tables: tables, validate: { change in
  ///   change.table == "loan" && change.values["member"] == nil
  ///     ? OperationRejection(code: "no_member", message: "A loan needs a member.") : nil
  /// }, access: { _, _ in .readWrite })
  /// let http = try SyncHTTPServer(server, authenticator: tokens, logger: logger)
  /// try await ServiceGroup(
  ///   services: [http], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
  /// ).run()
  /// ```
  ///
  /// The access of a request is the lesser of the access of its token and the access that the
  /// closure `access` of the ``SyncServer`` grants to the account.
  public final class SyncHTTPServer: Service {
    let core: ServerCore
    let options: ServerOptions
    private let logger: Logger
    private let onListening: @Sendable (_ port: Int, _ adminPort: Int?) -> Void

    /// Creates a server, which listens after ``run()`` was called.
    ///
    /// - Parameters:
    ///   - server: the server of the protocol.
    ///   - authenticator: the verifier of tokens, such as a ``TokenStore``.
    ///   - limits: the limits for requests and accounts.
    ///   - options: the addresses and times.
    ///   - tokens: the store in which the scopes and bytes of accounts are counted; required if
    ///     `limits` contains ``ServerLimits/scopesPerAccount`` or ``ServerLimits/bytesPerAccount``.
    ///   - metrics: the factory that contains the metrics of the server.
    ///   - logger: the logger.
    ///   - onListening: receives the ports when the server listens.
    /// - Throws: ``StorageError/Code/misuse`` for plain HTTP on an address that other computers
    ///   reach, unless the options allow it, for a certificate that cannot be used, and for a
    ///   number in the options or limits that is negative or extremely large, or with which no
    ///   request could be answered.
    public init(
      _ server: SyncServer, authenticator: any Authenticator, limits: ServerLimits = ServerLimits(),
      options: ServerOptions = ServerOptions(), tokens: TokenStore? = nil,
      metrics: PrometheusMetrics = PrometheusMetrics(), logger: Logger,
      onListening: @escaping @Sendable (_ port: Int, _ adminPort: Int?) -> Void = { _, _ in }
    ) throws {
      try options.validate(with: limits)
      self.options = options
      self.logger = logger
      self.onListening = onListening
      core = ServerCore(
        server, authenticator, limits, ServerMetrics(metrics),
        usage: try Self.usage(limits, tokens),
        heartbeatTicks: Int((options.heartbeatSeconds / options.tickSeconds).rounded()),
        logger: logger)
    }

    /// Serves requests until the graceful shutdown of the service group, or until the task is
    /// cancelled.
    public func run() async throws {
      let core = core
      let (application, stopSeconds) = (try application(), options.stopSeconds)
      try await withGracefulShutdownHandler {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await application.run() }
          group.addTask {
            try await gracefulShutdown()
            try await Task.sleep(for: .seconds(stopSeconds))
          }
          defer { group.cancelAll() }
          try await group.next()
        }
      } onGracefulShutdown: {
        core.stop()
      }
    }

    private func application() throws -> Application<SyncResponder> {
      let hasAdminPort = options.adminPort != nil
      let plain = HTTPServerBuilder { [http] responder in
        HTTPConnection(HTTP1Channel(responder: responder, configuration: http))
      }
      let ports = ListeningPorts(count: hasAdminPort ? 2 : 1, report: onListening)
      var services: [any Service] = [Ticker(core: core, seconds: options.tickSeconds)]
      if let schedule = options.compaction {
        services.append(CompactionJob(core: core, schedule: schedule))
      }
      if let port = options.adminPort {
        services.append(
          makeApplication(
            SyncResponder(core: core, servesReplicas: false, servesAdministration: true),
            .hostname(options.adminHost, port: port), plain
          ) { ports.add(admin: $0) })
      }
      let builder =
        try options.certificate.map { try .tls(plain, tlsConfiguration: $0.configuration()) }
        ?? plain
      return makeApplication(
        SyncResponder(
          core: core, servesReplicas: true,
          servesAdministration: !hasAdminPort && options.isLoopback),
        .hostname(options.host, port: options.port), builder, services
      ) { ports.add(main: $0) }
    }

    private func makeApplication(
      _ responder: SyncResponder, _ address: BindAddress, _ builder: HTTPServerBuilder,
      _ services: [any Service] = [], _ listening: @escaping @Sendable (Int) -> Void
    ) -> Application<SyncResponder> {
      var quiet = logger
      // The messages of the framework contain no identifiers of this server's requests.
      quiet.logLevel = max(quiet.logLevel, .warning)
      return Application(
        responder: responder, server: builder,
        configuration: ApplicationConfiguration(
          address: address,
          availableConnectionsDelegate: MaximumAvailableConnections(core.limits.connections)),
        services: services,
        onServerRunning: { channel in listening(channel.localAddress?.port ?? 0) }, logger: quiet)
    }

    private var http: HTTP1Channel.Configuration {
      HTTP1Channel.Configuration(
        additionalChannelHandlers: [InputCloseHandler()],
        idleTimeout: TimeAmount(seconds: core.limits.idleSeconds),
        httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
          maxHeaderFieldSize: 32_768, maxHeaderListSize: 65_536, maxHeaderFieldCount: 100))
    }

    private static func usage(
      _ limits: ServerLimits, _ tokens: TokenStore?
    ) throws -> (any UsageLedger)? {
      guard limits.scopesPerAccount != nil || limits.bytesPerAccount != nil else { return nil }
      guard let tokens else {
        throw StorageError(
          .misuse, "cannot limit the scopes and bytes of accounts: no TokenStore counts them",
          suggestion: "pass a TokenStore for tokens")
      }
      return try AccountUsage(tokens, limits)
    }
  }

  extension ServerOptions {
    /// The seconds between two checks of the open streams.
    var tickSeconds: Double { min(1, max(heartbeatSeconds, 0.01)) }
  }
#endif
