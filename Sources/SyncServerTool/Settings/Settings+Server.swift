#if SyncServer
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncServer

  extension Settings {
    /// The addresses and times of the server.
    func serverOptions() throws -> ServerOptions {
      var options = ServerOptions()
      if let host = try string(.host) { options.host = host }
      if let port = try port(.port) { options.port = port }
      options.adminPort = try port(.adminPort)
      if let host = try string(.adminHost) {
        guard options.adminPort != nil else {
          throw StorageError(
            .misuse, "cannot serve health and metrics on \(quoted(host)) without a port",
            suggestion: "state admin.port (--admin-port), or remove admin.host")
        }
        options.adminHost = host
      }
      options.allowsPlainHTTP = try flag(.allowPlainHTTP) ?? false
      if let seconds = try real(.heartbeatSeconds) { options.heartbeatSeconds = seconds }
      if let seconds = try real(.stopSeconds) { options.stopSeconds = seconds }
      switch (try string(.tlsCertificate), try string(.tlsKey)) {
      case (nil, nil): break
      case (let chain?, let key?):
        options.certificate = ServerOptions.CertificateFiles(
          chain: URL(filePath: chain), privateKey: URL(filePath: key))
      default:
        throw StorageError(
          .misuse, "cannot use TLS: only one of the certificate and its key is stated",
          suggestion: "state both --certificate and --certificate-key")
      }
      var schedule = ServerOptions.CompactionSchedule(retention: try retention())
      if let seconds = try real(.compactionSeconds) { schedule.seconds = seconds }
      options.compaction = schedule.seconds > 0 ? schedule : nil
      return options
    }

    /// The times for which old data is retained.
    func retention() throws -> SyncRetention {
      var retention = SyncRetention()
      if let days = try real(.retentionMinimumDays) { retention.minimum = Self.days(days) }
      if let days = try real(.retentionMaximumDays) { retention.maximum = Self.days(days) }
      guard retention.minimum <= retention.maximum else {
        throw StorageError(
          .misuse, "cannot retain data: retention.minimumDays is above retention.maximumDays",
          suggestion: "state both, with a minimum that is not above the maximum")
      }
      return retention
    }

    private static func days(_ days: Double) -> Int64 {
      Int64(exactly: (days * Double(SyncRetention.day)).rounded()) ?? .max
    }

    private func port(_ name: SettingName) throws -> Int? {
      guard let port = try integer(name) else { return nil }
      guard (0...65_535).contains(port) else {
        throw StorageError(
          .misuse, "cannot listen on port \(port): a port is a number from 0 to 65535",
          suggestion: "state another port")
      }
      return port
    }

    /// The limits for requests and accounts.
    func limits() throws -> ServerLimits {
      var limits = ServerLimits()
      if let value = try integer(.bodyBytes) { limits.bodyBytes = value }
      if let value = try integer(.pendingBodyBytes) { limits.pendingBodyBytes = value }
      if let value = try real(.bodySeconds) { limits.bodySeconds = value }
      if let value = try real(.idleSeconds) { limits.idleSeconds = value }
      if let value = try integer(.connections) { limits.connections = value }
      if let value = try real(.requestsPerSecond) { limits.requestsPerSecond = value }
      if let value = try integer(.requestBurst) { limits.requestBurst = value }
      if let value = try integer(.streams) { limits.streams = value }
      if let value = try integer(.threads) { limits.threads = value }
      if let value = try integer(.waitingRequests) { limits.waitingRequests = value }
      limits.scopesPerAccount = try integer(.scopesPerAccount)
      limits.bytesPerAccount = try integer(.bytesPerAccount).map { Int64($0) }
      return limits
    }

    /// The authenticator for JSON Web Tokens, or `nil` if none is configured.
    func jwtAuthenticator() async throws -> JWTAuthenticator? {
      guard let file = try string(.jwtKeyFile) else { return nil }
      let data = try Self.contents(
        of: file, "the key of JSON Web Tokens",
        suggestion: "state a file that the server may read in jwt.keyFile")
      let names = try strings(.jwtAlgorithms) ?? []
      let algorithms = try names.map { name -> JWTAlgorithmName in
        guard let algorithm = JWTAlgorithmName(rawValue: name) else {
          let known = JWTAlgorithmName.allCases.map(\.rawValue).joined(separator: ", ")
          throw StorageError(
            .misuse,
            "cannot verify JSON Web Tokens: the algorithm \(quoted(name)) is not supported",
            suggestion: "state some of \(known) in jwt.algorithms")
        }
        return algorithm
      }
      let rules =
        (try strings(.jwtScopes) ?? []).map { ScopeRule($0) }
        + (try strings(.jwtReadScopes) ?? []).map { ScopeRule($0, .read) }
      return try await JWTAuthenticator(
        key: Self.key(data, isSecret: algorithms.allSatisfy { $0.rawValue.hasPrefix("HS") }),
        algorithms: algorithms, audience: try string(.jwtAudience) ?? "",
        issuer: try string(.jwtIssuer),
        rules: rules)
    }

    /// Returns the key in a file: a secret for HMAC, a JSON Web Key Set, or a key in the PEM
    /// format.
    private static func key(_ data: Data, isSecret: Bool) -> JWTVerificationKey {
      if isSecret { return .secret(data) }
      let text = String(decoding: data, as: UTF8.self)
      let isJSON = text.first { !$0.isWhitespace } == "{"
      return isJSON ? .keySet(json: text) : .pem(text)
    }
  }
#endif
