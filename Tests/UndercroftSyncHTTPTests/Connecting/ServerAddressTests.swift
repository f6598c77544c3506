#if SyncHTTP
  import Testing
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncHTTP

  @Suite struct ServerAddressTests {
    private func error(for address: String, allowsPlainHTTP: Bool = false) async throws
      -> StorageError?
    {
      let url = try #require(URL(string: address))
      do {
        _ = try ServerAddress(url, allowsPlainHTTP: allowsPlainHTTP)
        return nil
      } catch { return error }
    }

    @Test(arguments: [
      "https://sync.example.org", "https://sync.example.org:8443/library", "https://10.1.2.3",
      "https://[fd00::7]:8443", "http://localhost:8080", "http://shelf.localhost",
      "http://127.0.0.1:8080", "http://127.9.9.9", "http://[::1]:8080",
      "http://[::ffff:127.0.0.1]:8080", "HTTPS://sync.example.org",
    ])
    func `https, and http to this computer, are accepted`(address: String) async throws {
      let error = try await error(for: address)

      #expect(error == nil)
    }

    @Test(arguments: [
      "http://sync.example.org", "http://10.1.2.3", "http://128.0.0.1", "http://[fd00::1]",
      "http://localhost.example.org", "http://127.0.0.1.example.org", "http://[::2]",
      "http://0.0.0.0",
    ])
    func `http to another computer is accepted only with the option`(address: String) async throws {
      let refused = try #require(await error(for: address))
      let accepted = try await error(for: address, allowsPlainHTTP: true)

      #expect(refused.code == .misuse)
      #expect(refused.suggestion?.contains("allowsPlainHTTP") == true)
      #expect(accepted == nil)
    }

    @Test(arguments: [
      "ftp://sync.example.org", "sync.example.org", "https:///library",
      "https://member:secret@sync.example.org", "https://sync.example.org?scope=secret",
      "https://sync.example.org#secret", "file:///tmp/secret", "https://10.1.2.3:65536",
      "http://sync.example.org:99999999", "http://127.0.0.1:0",
    ])
    func `any other address is an error that does not contain secrets`(address: String)
      async throws
    {
      let error = try #require(await error(for: address, allowsPlainHTTP: true))

      #expect(error.code == .misuse)
      #expect(error.suggestion != nil)
      #expect(!"\(error)".contains("secret"))
    }

    @Test func `no request is sent to an address that is refused`() async throws {
      let script: ScriptedServer.Script = { _, _ in .message("{}") }
      try await ScriptedServer.run(script) { server in
        let url = try #require(URL(string: "http://member:secret@127.0.0.1:\(server.port)"))
        let test = TestPeer(url)
        let error = try #require(await test.helloError())

        #expect(error.code == .misuse)
        #expect(test.requestedTokens == [])
        #expect(server.requests.isEmpty)
      }
    }
  }
#endif
