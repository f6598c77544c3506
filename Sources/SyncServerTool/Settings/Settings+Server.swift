#if SyncServer
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncServer

  extension Settings {
    /// The addresses and times of the server.
    func serverOptions() throws -> ServerOptions {
      var options = ServerOptions()
      if let host = try string("host") { options.host = host }
      if let port = try port("port") { options.port = port }
      if let host = try string("admin.host") { options.adminHost = host }
      options.adminPort = try port("admin.port")
      options.allowsPlainHTTP = try flag("allowPlainHTTP") ?? false
      if let seconds = try real("heartbeatSeconds") { options.heartbeatSeconds = seconds }
      if let seconds = try real("stopSeconds") { options.stopSeconds = seconds }
      switch (try string("tls.certificate"), try string("tls.key")) {
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
      if let seconds = try real("compactionSeconds") { schedule.seconds = seconds }
      options.compaction = schedule.seconds > 0 ? schedule : nil
      return options
    }

    /// The times for which old data is retained.
    func retention() throws -> SyncRetention {
      var retention = SyncRetention()
      if let days = try real("retention.minimumDays") { retention.minimum = Self.days(days) }
      if let days = try real("retention.maximumDays") { retention.maximum = Self.days(days) }
      return retention
    }

    private static func days(_ days: Double) -> Int64 {
      Int64(exactly: (days * Double(SyncRetention.day)).rounded()) ?? .max
    }

    private func port(_ name: String) throws -> Int? {
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
      if let value = try integer("limits.bodyBytes") { limits.bodyBytes = value }
      if let value = try integer("limits.pendingBodyBytes") { limits.pendingBodyBytes = value }
      if let value = try real("limits.bodySeconds") { limits.bodySeconds = value }
      if let value = try real("limits.idleSeconds") { limits.idleSeconds = value }
      if let value = try integer("limits.connections") { limits.connections = value }
      if let value = try real("limits.requestsPerSecond") { limits.requestsPerSecond = value }
      if let value = try integer("limits.requestBurst") { limits.requestBurst = value }
      if let value = try integer("limits.streams") { limits.streams = value }
      if let value = try integer("limits.threads") { limits.threads = value }
      if let value = try integer("limits.waitingRequests") { limits.waitingRequests = value }
      limits.scopesPerAccount = try integer("limits.scopesPerAccount")
      limits.bytesPerAccount = try integer("limits.bytesPerAccount").map { Int64($0) }
      return limits
    }

    /// The authenticator for JSON Web Tokens, or `nil` if none is configured.
    func jwtAuthenticator() async throws -> JWTAuthenticator? {
      guard let file = try string("jwt.keyFile") else { return nil }
      let data: Data
      do { data = try Data(contentsOf: URL(filePath: file)) } catch {
        throw StorageError(
          .misuse, "cannot read the key of JSON Web Tokens \(quoted(file)): \(error)",
          suggestion: "state a file that the server may read in jwt.keyFile", underlying: error)
      }
      let names = try strings("jwt.algorithms") ?? []
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
        (try strings("jwt.scopes") ?? []).map { ScopeRule($0) }
        + (try strings("jwt.readScopes") ?? []).map { ScopeRule($0, .read) }
      return try await JWTAuthenticator(
        key: Self.key(data, isSecret: algorithms.allSatisfy { $0.rawValue.hasPrefix("HS") }),
        algorithms: algorithms, audience: try string("jwt.audience") ?? "",
        issuer: try string("jwt.issuer"),
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
