#if SyncServer
  /// The name of a setting, as the file of settings states it.
  ///
  /// The part before the point is the name of an object in the file.
  enum SettingName: String, CaseIterable {
    case data = "data"
    case postgres = "postgres"
    case postgresConnections = "postgresConnections"
    case postgresListen = "postgresListen"
    case shards = "shards"
    case host = "host"
    case port = "port"
    case adminHost = "admin.host"
    case adminPort = "admin.port"
    case allowPlainHTTP = "allowPlainHTTP"
    case tlsCertificate = "tls.certificate"
    case tlsKey = "tls.key"
    case logLevel = "log.level"
    case logFormat = "log.format"
    case heartbeatSeconds = "heartbeatSeconds"
    case stopSeconds = "stopSeconds"
    case compactionSeconds = "compactionSeconds"
    case retentionMinimumDays = "retention.minimumDays"
    case retentionMaximumDays = "retention.maximumDays"
    case jwtKeyFile = "jwt.keyFile"
    case jwtAlgorithms = "jwt.algorithms"
    case jwtAudience = "jwt.audience"
    case jwtIssuer = "jwt.issuer"
    case jwtScopes = "jwt.scopes"
    case jwtReadScopes = "jwt.readScopes"
    case bodyBytes = "limits.bodyBytes"
    case pendingBodyBytes = "limits.pendingBodyBytes"
    case bodySeconds = "limits.bodySeconds"
    case idleSeconds = "limits.idleSeconds"
    case connections = "limits.connections"
    case requestsPerSecond = "limits.requestsPerSecond"
    case requestBurst = "limits.requestBurst"
    case streams = "limits.streams"
    case threads = "limits.threads"
    case waitingRequests = "limits.waitingRequests"
    case scopesPerAccount = "limits.scopesPerAccount"
    case bytesPerAccount = "limits.bytesPerAccount"

    /// The names of the objects that contain settings in a file.
    static let groups = Set(
      allCases.compactMap { name in
        name.rawValue.firstIndex(of: ".").map { String(name.rawValue[..<$0]) }
      })
  }
#endif
