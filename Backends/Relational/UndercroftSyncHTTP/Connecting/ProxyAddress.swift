#if SyncHTTP
  import AsyncHTTPClient
  import UndercroftCore
  import UndercroftFoundation

  /// The address of a proxy.
  enum ProxyAddress {
    /// Returns the configuration of a proxy.
    ///
    /// The HTTP library asks an HTTP proxy for a tunnel (`CONNECT`), also for HTTP without TLS.
    ///
    /// - Parameter text: an address such as `http://user:password@proxy.example.org:3128`. Without
    ///   a scheme, it is the address of an HTTP proxy.
    /// - Throws: an error that does not contain the address, because the address can contain a
    ///   password.
    static func configuration(_ text: String) throws(StorageError) -> HTTPClient.Configuration.Proxy
    {
      guard let url = URL(string: text.contains("://") ? text : "http://\(text)"),
        let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: false),
        !host.isEmpty
      else {
        throw .unusableProxy("the address of the proxy is not a URL with a host")
      }
      guard (1...65_535).contains(url.port ?? 80) else {
        throw .unusableProxy("the port of the proxy is not a number from 1 to 65535")
      }
      switch scheme {
      case "http":
        var authorization: HTTPClient.Authorization?
        if let user = url.user(percentEncoded: false) {
          authorization = .basic(
            username: user, password: url.password(percentEncoded: false) ?? "")
        }
        return .server(
          host: NetworkHost.normalized(host), port: url.port ?? 80, authorization: authorization)
      case "socks5", "socks5h":
        guard url.user() == nil else {
          throw .unusableProxy("a SOCKS proxy with a user name is not supported")
        }
        return .socksServer(host: NetworkHost.normalized(host), port: url.port ?? 1080)
      default:
        throw .unusableProxy(
          "the scheme of the proxy is \(quoted(scheme)), but only http and socks5 are supported")
      }
    }
  }
#endif
