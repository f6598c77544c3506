#if SyncServer
  import UndercroftSyncServer

  /// The address of a running server.
  struct ServerAddress: Sendable {
    /// The address on which the server listens.
    let text: String
    /// The address as clients state it, with a placeholder if the server listens on all addresses
    /// of the computer.
    let clientText: String

    /// Creates the address from the options of the server and from its port.
    init(_ options: ServerOptions, port: Int) {
      let scheme = options.certificate == nil ? "http" : "https"
      let host = options.host.contains(":") ? "[\(options.host)]" : options.host
      text = "\(scheme)://\(host):\(port)"
      let isWildcard = ["0.0.0.0", "::"].contains(options.host)
      clientText = isWildcard ? "\(scheme)://NAME-OF-THIS-COMPUTER:\(port)" : text
    }
  }
#endif
