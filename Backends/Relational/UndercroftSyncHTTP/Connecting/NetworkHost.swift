#if SyncHTTP
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// The comparison of names and addresses of hosts.
  enum NetworkHost {
    /// Returns a host in lower case, without the brackets of an IPv6 address and without the dot at
    /// the end of an absolute name.
    static func normalized(_ host: String) -> String {
      var host = host.lowercased()
      if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
      if host.hasSuffix(".") { host.removeLast() }
      return host
    }

    /// Returns whether a normalized host is this computer, so that no network sees the connection.
    static func isLoopback(_ host: String) -> Bool {
      if host == "localhost" || host.hasSuffix(".localhost") { return true }
      guard let bytes = bytes(of: host) else { return false }
      if bytes.count == 4 { return bytes[0] == 127 }
      return bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// Returns the 4 or 16 bytes of an IP address, or `nil` for a name.
    ///
    /// An IPv4 address in an IPv6 address becomes the IPv4 address.
    static func bytes(of host: String) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: 16)
      if inet_pton(AF_INET, host, &bytes) == 1 { return Array(bytes.prefix(4)) }
      guard inet_pton(AF_INET6, host, &bytes) == 1 else { return nil }
      let prefix: [UInt8] = Array(repeating: 0, count: 10) + [0xff, 0xff]
      return bytes.starts(with: prefix) ? Array(bytes.dropFirst(12)) : bytes
    }
  }
#endif
