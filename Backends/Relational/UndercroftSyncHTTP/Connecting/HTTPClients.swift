#if SyncHTTP
  import AsyncHTTPClient
  import NIOCore
  import NIOSSL
  import UndercroftCore
  import UndercroftFoundation

  /// The connection pools of a peer.
  ///
  /// Streams and polls occupy a connection for a long time, so they have a pool of their own.
  /// Otherwise, many streams would occupy all connections of the pool, and requests would time out.
  final class HTTPClients: Sendable {
    /// The pool for requests that the server answers without delay.
    let requests: HTTPClient
    /// The pool for streams of events and for polls.
    let streams: HTTPClient

    init(for address: ServerAddress, _ options: HTTPSyncOptions) throws(StorageError) {
      let configuration = try Self.configuration(for: address, options)
      requests = HTTPClient(configuration: configuration)
      var unlimited = configuration
      unlimited.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 4_096
      streams = HTTPClient(configuration: unlimited)
    }

    /// Ends all requests and connections.
    func close() async {
      // The only error is that the client is closed already.
      try? await requests.shutdown()
      try? await streams.shutdown()
    }

    deinit {
      // In debug builds, the library traps if a client that was not shut down is deinitialized.
      requests.shutdown { _ in }
      streams.shutdown { _ in }
    }

    private static func configuration(
      for address: ServerAddress, _ options: HTTPSyncOptions
    ) throws(StorageError) -> HTTPClient.Configuration {
      var tls = TLSConfiguration.makeClientConfiguration()
      if let url = options.trustedCertificates {
        tls.additionalTrustRoots = [.certificates(try certificates(at: url))]
      }
      var configuration = HTTPClient.Configuration(
        tlsConfiguration: tls, redirectConfiguration: .disallow,
        timeout: .init(
          connect: options.connectTimeout.timeAmount, read: options.idleTimeout.timeAmount,
          write: options.idleTimeout.timeAmount),
        // The peer limits the size of answers, and decompresses them itself.
        proxy: try proxy(for: address, options), decompression: .disabled)
      // The peer has a schedule of its own for attempts.
      configuration.connectionPool.retryConnectionEstablishment = false
      return configuration
    }

    private static func proxy(
      for address: ServerAddress, _ options: HTTPSyncOptions
    ) throws(StorageError) -> HTTPClient.Configuration.Proxy? {
      switch options.proxy {
      case .none: return nil
      case .server(let url): return try ProxyAddress.configuration(url.absoluteString)
      case .environment:
        let variables = ProcessInfo.processInfo.environment
        let environment = ProxyEnvironment(variable: { variables[$0] })
        guard let proxy = environment.proxy(for: address) else { return nil }
        return try ProxyAddress.configuration(proxy)
      }
    }

    private static func certificates(at url: URL) throws(StorageError) -> [NIOSSLCertificate] {
      do {
        return try NIOSSLCertificate.fromPEMFile(url.path)
      } catch {
        throw StorageError(
          .misuse,
          "cannot read the trusted certificates at \(quoted(url.path))",
          suggestion: "pass the location of a readable file with certificates in PEM format",
          backend: "sync", underlying: error)
      }
    }
  }

  extension Duration {
    /// The duration as an amount of time of NIO, at least a millisecond.
    var timeAmount: TimeAmount {
      .milliseconds(max(1, milliseconds))
    }
  }
#endif
