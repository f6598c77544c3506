#if SyncHTTP
  package import UndercroftCore
  package import UndercroftFoundation

  /// The address of a server, which was verified.
  package struct ServerAddress: Sendable {
    /// The address without a slash at the end.
    let base: String
    /// The host without the brackets of an IPv6 address, in lower case.
    let host: String
    let port: Int
    let isEncrypted: Bool

    /// Verifies an address.
    ///
    /// - Throws: ``StorageError/Code/misuse`` if a peer must not connect to the address.
    package init(_ url: URL, allowsPlainHTTP: Bool) throws(StorageError) {
      let scheme = url.scheme?.lowercased() ?? ""
      guard scheme == "https" || scheme == "http" else {
        throw .unusableAddress(
          "its scheme is neither https nor http",
          suggestion: "pass an address such as https://sync.example.org")
      }
      guard let host = url.host(percentEncoded: false), !host.isEmpty else {
        throw .unusableAddress(
          "it names no host", suggestion: "pass an address such as https://sync.example.org")
      }
      // The address appears in errors, so it must not contain a secret.
      guard url.user() == nil, url.password() == nil else {
        throw .unusableAddress(
          "it contains a user name or password",
          suggestion: "remove them, and pass a token to the HTTPSyncPeer")
      }
      guard url.query() == nil, url.fragment() == nil else {
        throw .unusableAddress(
          "it contains a query or a fragment", suggestion: "pass the address without them")
      }
      self.host = NetworkHost.normalized(host)
      isEncrypted = scheme == "https"
      port = url.port ?? (isEncrypted ? 443 : 80)
      // The HTTP library traps if the port of an IP address is larger.
      guard (1...65_535).contains(port) else {
        throw .unusableAddress(
          "its port is not a number from 1 to 65535", suggestion: "pass the port of the server")
      }
      var base = url.absoluteString
      while base.hasSuffix("/") { base.removeLast() }
      self.base = base
      guard isEncrypted || allowsPlainHTTP || NetworkHost.isLoopback(self.host) else {
        throw .unusableAddress(
          """
          HTTP without TLS would send the token and all rows to \(quoted(self.host)) without \
          encryption
          """,
          suggestion: """
            use https, or set HTTPSyncOptions.allowsPlainHTTP if another layer encrypts the \
            connection
            """)
      }
    }

    /// Returns the address of an endpoint.
    func url(of endpoint: String) -> String { "\(base)/sync/v1/\(endpoint)" }
  }
#endif
