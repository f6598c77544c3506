#if SyncServer
  import UndercroftSyncServer

  /// The address of a running server, as clients state it.
  struct ServerAddress: Sendable {
    let text: String

    /// Creates the address from the options of the server and from its port.
    init(_ options: ServerOptions, port: Int) {
      let scheme = options.certificate == nil ? "http" : "https"
      let host = options.host.contains(":") ? "[\(options.host)]" : options.host
      text = "\(scheme)://\(host):\(port)"
    }
  }
#endif
