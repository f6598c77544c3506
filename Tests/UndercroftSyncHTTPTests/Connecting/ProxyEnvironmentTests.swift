#if SyncHTTP
  import Testing
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSyncHTTP

  @Suite struct ProxyEnvironmentTests {
    private func proxy(
      for url: String, _ variables: (String, String)...
    ) throws -> String? {
      let environment = ProxyEnvironment { name in variables.first { $0.0 == name }?.1 }
      let server = try #require(URL(string: url))
      return environment.proxy(for: try ServerAddress(server, allowsPlainHTTP: true))
    }

    private static let proxy = "http://proxy.example.org:3128"

    @Test(arguments: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
    func `a variable names the proxy for https`(name: String) throws {
      let found = try proxy(for: "https://sync.example.org", (name, Self.proxy))

      #expect(found == Self.proxy)
    }

    @Test(arguments: ["http_proxy", "HTTP_PROXY"])
    func `other variables name the proxy for http`(name: String) throws {
      let plain = try proxy(for: "http://sync.example.org", (name, Self.proxy))
      let encrypted = try proxy(for: "https://sync.example.org", (name, Self.proxy))

      #expect(plain == Self.proxy)
      #expect(encrypted == nil)
    }

    @Test func `the name in lower case has precedence, and an empty value is no proxy`() throws {
      let first = try proxy(
        for: "https://sync.example.org", ("HTTPS_PROXY", "http://other:1"),
        ("https_proxy", Self.proxy))
      let empty = try proxy(for: "https://sync.example.org", ("https_proxy", ""))

      #expect(first == Self.proxy)
      #expect(empty == nil)
    }

    @Test func `HTTP_PROXY is ignored in a CGI program, because a client can set it`() throws {
      let found = try proxy(
        for: "http://sync.example.org", ("HTTP_PROXY", Self.proxy), ("REQUEST_METHOD", "GET"))

      #expect(found == nil)
    }

    @Test(arguments: [
      "http://localhost:8080", "http://127.0.0.1", "http://[::1]:8080", "https://shelf.localhost",
    ])
    func `this computer is reached without a proxy`(url: String) throws {
      let found = try proxy(for: url, ("all_proxy", Self.proxy))

      #expect(found == nil)
    }

    @Test(arguments: [
      "*", "example.org", ".example.org", "*.example.org", "sync.example.org", "SYNC.Example.ORG",
      "sync.example.org:443", "other.example.com, sync.example.org", "a b sync.example.org.",
    ])
    func `no_proxy contains a name, a domain, or everything`(list: String) throws {
      let found = try proxy(
        for: "https://sync.example.org", ("https_proxy", Self.proxy), ("no_proxy", list))

      #expect(found == nil)
    }

    @Test(arguments: [
      "", "ample.org", "other.example.org", "sync.example.org:8443", "10.0.0.0/8", ",", "org:",
    ])
    func `no_proxy does not contain other names`(list: String) throws {
      let found = try proxy(
        for: "https://sync.example.org", ("https_proxy", Self.proxy), ("NO_PROXY", list))

      #expect(found == Self.proxy)
    }

    @Test(arguments: [
      ("https://10.1.2.3", "10.0.0.0/8"), ("https://10.1.2.3", "10.1.2.3"),
      ("https://10.1.2.3:8443", "10.1.2.3:8443"), ("https://10.1.2.3", "0.0.0.0/0"),
      ("https://[fd00::7]", "fd00::/8"), ("https://[fd00::7]", "[fd00::7]"),
      ("https://192.168.255.1", "192.168.128.0/17"),
    ])
    func `no_proxy contains an address or a range of addresses`(url: String, list: String) throws {
      let found = try proxy(for: url, ("https_proxy", Self.proxy), ("no_proxy", list))

      #expect(found == nil)
    }

    @Test(arguments: [
      ("https://11.1.2.3", "10.0.0.0/8"), ("https://192.168.127.1", "192.168.128.0/17"),
      ("https://10.1.2.3", "10.0.0.0/33"), ("https://10.1.2.3", "fd00::/8"),
      ("https://10.1.2.3", "10.1.2.3:80"), ("https://[fd00::7]", "fd00::8"),
    ])
    func `no_proxy does not contain other addresses`(url: String, list: String) throws {
      let found = try proxy(for: url, ("https_proxy", Self.proxy), ("no_proxy", list))

      #expect(found == Self.proxy)
    }
  }
#endif
