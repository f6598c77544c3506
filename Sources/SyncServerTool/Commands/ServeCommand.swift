#if SyncServer
  import ArgumentParser
  import Logging
  import Metrics
  import ServiceLifecycle
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncServer

  /// The command that serves requests.
  struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve", abstract: "Serve requests until a signal ends the process.")

    @OptionGroup var data: DataArguments

    @Option(help: "The address on which the server listens. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port on which the server listens. (default: 8090)")
    var port: String?

    @Option(help: "The address of the administration port. (default: 127.0.0.1)")
    var adminHost: String?

    @Option(help: "A port of its own for health and metrics.")
    var adminPort: String?

    @Option(help: "The file with the certificate chain, in the PEM format.")
    var certificate: String?

    @Option(help: "The file with the private key of the certificate, in the PEM format.")
    var certificateKey: String?

    @Flag(help: "Allow plain HTTP on an address that other computers reach.")
    var allowPlainHTTP = false

    @Option(help: "The number of SQLite files of a new store. (default: 4)")
    var shards: String?

    @Option(help: "The lowest level of logged messages, such as debug. (default: info)")
    var logLevel: String?

    @Option(help: "The form of logged messages: text or json. (default: text)")
    var logFormat: String?

    func run() async throws {
      let settings = try Settings(
        [
          (.host, host), (.port, port), (.adminHost, adminHost), (.adminPort, adminPort),
          (.tlsCertificate, certificate), (.tlsKey, certificateKey),
          (.allowPlainHTTP, allowPlainHTTP ? "true" : nil), (.shards, shards),
          (.logLevel, logLevel), (.logFormat, logFormat),
        ], data)
      let logger = try ServerLog.start(settings)
      UnknownVariable.warn(logger)
      let jwt = try await settings.jwtAuthenticator()
      let options = try settings.serverOptions()
      var limits = try settings.limits()
      // A refused start creates no folder, whose number of files could not be changed later.
      try options.validate(with: limits)
      let openFiles = OpenFileLimit(raisedBy: logger)
      let folder = try settings.postgres() == nil ? DataFolder(try settings.folder()) : nil
      try folder?.create()
      // The pokes of two processes on SQLite files would not reach each other's replicas.
      let lock = try folder.map { try DataLock($0) }
      defer { withExtendedLifetime(lock) {} }

      let metrics = PrometheusMetrics()
      MetricsSystem.bootstrap(metrics)
      let store = try OpenedStore.open(settings, mustExist: false)
      // On PostgreSQL, the tokens are those of all processes on the database.
      let tokens = try folder?.openTokens() ?? TokenStore(in: store)
      let server = SyncServer(store: store, access: { _, _ in .readWrite })
      try OpenedStore.connect(server, settings)
      let isNew = tokens.isEmpty
      var members: [any Authenticator] = [tokens]
      if let jwt { members.append(jwt) }
      limits.connections = openFiles.connections(
        limits.connections, besides: try OpenedStore.fileCount(settings), logger)
      let http = try SyncHTTPServer(
        server, authenticator: AuthenticatorList(members), limits: limits,
        options: options, tokens: tokens, metrics: metrics, logger: logger,
        onListening: { [limits] port, adminPort in
          let address = ServerAddress(options, port: port)
          if isNew {
            FirstToken.create(in: tokens, isShared: folder == nil, at: address, logger)
          }
          logger.info(
            "listening",
            metadata: [
              "address": "\(address.text)",
              "administration": "\(adminPort.map(String.init) ?? "-")",
              "openFiles": "\(openFiles.count.map(String.init) ?? "unlimited")",
              "connections": "\(limits.connections)",
            ])
        })
      let group = ServiceGroup(
        services: [http], gracefulShutdownSignals: StopSignals.current(), logger: logger)
      do { try await group.run() } catch { throw Self.unusable(options, error) }
      logger.info("stopped")
    }

    /// Returns the error for an address on which the server cannot listen.
    private static func unusable(_ options: ServerOptions, _ error: any Error) -> any Error {
      guard !(error is StorageError) else { return error }
      // The error does not say on which of the two addresses the server cannot listen.
      let administration = options.adminPort.map { port in
        " and \(quoted(options.adminHost)), port \(port)"
      }
      return StorageError(
        .unavailable,
        """
        cannot serve on \(quoted(options.host)), port \(options.port)\(administration ?? ""): \
        \(SystemError(nio: error)?.description ?? "\(error)")
        """,
        suggestion: """
          state another address with --host and --port\
          \(administration == nil ? "" : " or --admin-host and --admin-port"), or stop the program \
          that uses it
          """,
        underlying: error)
    }
  }
#endif
