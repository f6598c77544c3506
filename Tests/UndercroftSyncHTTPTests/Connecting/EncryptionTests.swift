#if SyncHTTP
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncHTTP

  @Suite(.timeLimit(.hangLimit)) struct EncryptionTests {
    private func run(
      trusting pem: String?, _ body: (ScriptedServer, TestPeer) async throws -> Void
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = folder.url.appending(path: "certificates.pem")
      if let pem { try Data(pem.utf8).write(to: file) }
      let script: ScriptedServer.Script = { _, _ in .message("{}") }
      try await ScriptedServer.run(tls: try TestCertificate.context(), script) { server in
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)"))
        let test = TestPeer(url) { $0.trustedCertificates = pem == nil ? nil : file }
        try await body(server, test)
      }
    }

    @Test func `a certificate that the application trusts is accepted`() async throws {
      try await run(trusting: TestCertificate.pem) { _, test in
        let answer = try await test.hello()

        #expect(answer == "{}")
      }
    }

    @Test func `a certificate that neither the system nor the application trusts is refused`()
      async throws
    {
      try await run(trusting: nil) { server, test in
        let error = try #require(await test.helloError())

        #expect(error.code == .unavailable)
        #expect(error.message.contains("TLS failed"))
        #expect(error.suggestion?.contains("trustedCertificates") == true)
        #expect(test.waits == [])
        #expect(server.requests.isEmpty)
      }
    }

    @Test func `a file that contains no certificate is an error of the first request`()
      async throws
    {
      try await run(trusting: "no certificate") { server, test in
        let error = try #require(await test.helloError())

        #expect(error.code == .misuse)
        #expect(error.message.contains("certificates.pem"))
        #expect(server.requests.isEmpty)
      }
    }

    @Test func `a server without TLS at an https address is an error`() async throws {
      try await ScriptedServer.run({ _, _ in .message("{}") }) { server in
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)"))
        let test = TestPeer(url) { options in
          options.connectTimeout = .milliseconds(200)
          options.attempts = 1
        }
        let error = try #require(await test.helloError())

        #expect(error.code == .unavailable)
        #expect(error.suggestion != nil)
      }
    }
  }
#endif
