#if SyncHTTP
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncHTTP

  @Suite(.timeLimit(.hangLimit)) struct ProxyTests {
    private func peer(through proxy: String) throws -> TestPeer {
      let server = try #require(URL(string: "http://sync.library.test:8080"))
      let address = try #require(URL(string: proxy))
      return TestPeer(server) { options in
        options.allowsPlainHTTP = true
        options.proxy = .server(address)
        options.attempts = 1
      }
    }

    private static let tunnel = ScriptedReply.raw("HTTP/1.1 200 Connection established\r\n\r\n")

    @Test func `the peer asks the proxy for a tunnel to the server`() async throws {
      let script: ScriptedServer.Script = { request, _ in
        request.method == "CONNECT" ? Self.tunnel : .message("{}")
      }
      try await ScriptedServer.run(script) { server in
        let answer = try await peer(through: "http://127.0.0.1:\(server.port)").hello()

        #expect(answer == "{}")
        #expect(server.requests.map(\.method) == ["CONNECT", "POST"])
        #expect(server.requests.first?.target == "sync.library.test:8080")
        #expect(server.requests.first?.header("Authorization") == nil)
      }
    }

    @Test func `a user name and a password in the address of the proxy are sent to it alone`()
      async throws
    {
      let script: ScriptedServer.Script = { request, _ in
        request.method == "CONNECT" ? Self.tunnel : .message("{}")
      }
      try await ScriptedServer.run(script) { server in
        _ = try await peer(through: "http://member:p%40ss@127.0.0.1:\(server.port)").hello()

        let header = server.requests.first?.header("Proxy-Authorization")
        #expect(header == "Basic \(Data("member:p@ss".utf8).base64EncodedString())")
        #expect(server.requests.last?.header("Proxy-Authorization") == nil)
      }
    }

    @Test(arguments: ["http://127.0.0.1:65536", "socks5://127.0.0.1:99999999"])
    func `a proxy with an impossible port is an error`(proxy: String) async throws {
      let error = try #require(await peer(through: proxy).helloError())

      #expect(error.message.contains("the port of the proxy"))
    }

    @Test(arguments: [(407, "user name and password"), (403, "refused"), (502, "refused")])
    func `a refusal of the proxy is an error about the proxy`(status: Int, text: String)
      async throws
    {
      try await ScriptedServer.run({ _, _ in .response(status, nil, []) }) { server in
        let test = try peer(through: "http://member:secret@127.0.0.1:\(server.port)")
        let error = try #require(await test.helloError())

        #expect(error.code == .unavailable)
        #expect(error.message.contains("the proxy"))
        #expect(error.message.contains(text))
        #expect(!"\(error)".contains("secret"))
      }
    }

    @Test(arguments: [
      "https://member:secret@proxy.example.org", "ftp://proxy.example.org",
      "socks5://member:secret@proxy.example.org",
    ])
    func `an unsupported proxy is an error that does not contain its password`(proxy: String)
      async throws
    {
      let error = try #require(await peer(through: proxy).helloError())

      #expect(error.code == .misuse)
      #expect(!"\(error)".contains("secret"))
      #expect(error.suggestion?.contains("proxy") == true)
    }
  }
#endif
