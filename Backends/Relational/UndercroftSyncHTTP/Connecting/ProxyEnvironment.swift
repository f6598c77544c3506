#if SyncHTTP
  import UndercroftFoundation

  /// The variables of the environment that name proxies, as curl and other programs read them.
  package struct ProxyEnvironment {
    private let variable: (String) -> String?

    /// Creates an environment from a closure that returns the value of a variable, or `nil` if the
    /// variable is not set.
    package init(variable: @escaping (String) -> String?) { self.variable = variable }

    /// Returns the address of the proxy for a server, or `nil` if the connection is direct.
    package func proxy(for server: ServerAddress) -> String? {
      // A proxy cannot connect to this computer by a loopback address.
      guard !NetworkHost.isLoopback(server.host), !isExcluded(server) else { return nil }
      let proxy = server.isEncrypted ? value("https_proxy") : plainProxy
      return proxy ?? value("all_proxy")
    }

    /// The proxy for HTTP without TLS.
    ///
    /// In a CGI program, `HTTP_PROXY` is the header `Proxy` of a client. (CVE-2016-5385)
    private var plainProxy: String? {
      if let proxy = nonempty(variable("http_proxy")) { return proxy }
      return variable("REQUEST_METHOD") == nil ? nonempty(variable("HTTP_PROXY")) : nil
    }

    private func value(_ name: String) -> String? {
      nonempty(variable(name)) ?? nonempty(variable(name.uppercased()))
    }

    private func nonempty(_ text: String?) -> String? {
      guard let text, !text.isEmpty else { return nil }
      return text
    }

    /// Returns whether the variable `no_proxy` excludes the server.
    ///
    /// An entry is `*`, a name, which includes all names below it, an address, or a range of
    /// addresses such as `10.0.0.0/8`. A port can follow a name.
    private func isExcluded(_ server: ServerAddress) -> Bool {
      guard let list = value("no_proxy") else { return false }
      return list.split(whereSeparator: { $0 == "," || $0.isWhitespace })
        .contains { matches(String($0), server) }
    }

    private func matches(_ entry: String, _ server: ServerAddress) -> Bool {
      if entry == "*" { return true }
      if let address = NetworkHost.bytes(of: server.host) {
        if let range = AddressRange(entry) { return range.contains(address) }
      }
      var name = entry
      if let colon = entry.lastIndex(of: ":"), let port = Int(entry[entry.index(after: colon)...]) {
        name = String(entry[..<colon])
        // The only colon separates a port; several are parts of an IPv6 address.
        if !name.contains(":") || name.hasSuffix("]") {
          guard port == server.port else { return false }
        } else {
          name = entry
        }
      }
      name = NetworkHost.normalized(name)
      if name.hasPrefix("*.") { name.removeFirst() }
      if name.hasPrefix(".") { name.removeFirst() }
      return !name.isEmpty && (server.host == name || server.host.hasSuffix("." + name))
    }
  }

  /// A range of IP addresses, such as `10.0.0.0/8`, or a single address.
  private struct AddressRange {
    let bytes: [UInt8]
    let bits: Int

    init?(_ text: String) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard let first = parts.first, parts.count <= 2,
        let bytes = NetworkHost.bytes(of: NetworkHost.normalized(String(first)))
      else { return nil }
      self.bytes = bytes
      guard parts.count == 2 else {
        bits = bytes.count * 8
        return
      }
      guard let bits = Int(parts[1]), (0...bytes.count * 8).contains(bits) else { return nil }
      self.bits = bits
    }

    func contains(_ address: [UInt8]) -> Bool {
      guard address.count == bytes.count else { return false }
      return bytes.indices.allSatisfy { index in
        let remaining = min(8, max(0, bits - index * 8))
        let mask = UInt8(truncatingIfNeeded: 0xff00 >> remaining)
        return bytes[index] & mask == address[index] & mask
      }
    }
  }
#endif
