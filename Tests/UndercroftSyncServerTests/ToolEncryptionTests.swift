#if SyncServer && SyncHTTP
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSQLite

  /// Tests that run the built tool `undercroft-sync-server` with certificates.
  @Suite(.enabled(if: OpenSSL.isInstalled), .timeLimit(.hangLimit)) struct ToolEncryptionTests {
    private let tool: ServerTool
    private let openSSL: OpenSSL

    init() throws {
      tool = try ServerTool()
      openSSL = try OpenSSL(in: tool.directory)
    }

    private func file(_ name: String) -> URL { tool.directory.url.appending(path: name) }

    private func options(_ certificate: String, _ key: String) -> [String] {
      [
        "--certificate", tool.directory.file(certificate), "--certificate-key",
        tool.directory.file(key),
      ]
    }

    /// Expects that a book arrives from one branch at another one through the server.
    private func expectExchange(_ server: ServerProcess, trusting name: String) async throws {
      let token = try #require(server.token)
      let (north, south) = (try tool.branch(), try tool.branch())
      try north.execute("INSERT INTO book VALUES ('b1', 'Dune')")

      try await server.synchronise(north, token, trusting: file(name))
      try await server.synchronise(south, token, trusting: file(name))

      let title: String? = try south.fetchValue("SELECT title FROM book")
      #expect(title == "Dune")
    }

    @Test func `branches that trust the certificate of the server synchronise`() async throws {
      try await openSSL.makeCertificate("server")

      let server = try await tool.serve(options("server.pem", "server.key"))

      #expect(server.address?.scheme == "https")
      #expect(server.output.contains("HTTPSyncPeer(server: URL(string: \"https://127.0.0.1:"))
      try await expectExchange(server, trusting: "server.pem")
      let status = await onNewThread { server.stop() }
      #expect(status == 0)
    }

    @Test func `a branch verifies the chain of certificates that the server sends`() async throws {
      try await openSSL.makeCertificate("root", extensions: OpenSSL.authority)
      try await openSSL.makeCertificate(
        "authority", issuer: "root", extensions: OpenSSL.authority)
      try await openSSL.makeCertificate("server", issuer: "authority")
      let chain = try ["server.pem", "authority.pem"].map { try tool.directory.read($0) }
      try tool.directory.write(chain.joined(), to: "chain.pem")

      let server = try await tool.serve(options("chain.pem", "server.key"))

      try await expectExchange(server, trusting: "root.pem")
    }

    @Test func `a branch refuses a certificate that it does not trust`() async throws {
      try await openSSL.makeCertificate("server")
      try await openSSL.makeCertificate("other")
      let server = try await tool.serve(options("server.pem", "server.key"))
      let token = try #require(server.token)
      let branch = try tool.branch()

      for trusted in [nil, file("other.pem")] {
        let error = await #expect(throws: StorageError.self) {
          try await server.synchronise(branch, token, trusting: trusted)
        }
        #expect(error?.description.contains("TLS failed") == true)
      }
      #expect(server.isRunning)
    }

    @Test(.enabled(if: PythonClient.isInstalled))
    func `a client in another language reports a certificate that it does not trust`()
      async throws
    {
      try await openSSL.makeCertificate("server")
      let server = try await tool.serve(options("server.pem", "server.key"))
      let port = try #require(server.port)
      let client = try PythonClient(port: port, token: try #require(server.token))
      try await client.run("add", "b1", "title=Emma")

      let refused = try await client.run("sync", server: "https://127.0.0.1:\(port)")

      #expect(refused.status == 1)
      #expect(refused.errors.contains("the certificate of https://127.0.0.1:"))
      #expect(refused.errors.contains("not valid: self"), "\(refused.errors)")
      let queued = try await client.list().queued
      #expect(queued == 1)
    }

    @Test func `the port for TLS answers no request of plain HTTP`() async throws {
      try await openSSL.makeCertificate("server")
      let server = try await tool.serve(options("server.pem", "server.key"))

      await #expect(throws: RawConnection.Closed.self) {
        try await server.send(HTTPRequestText(get: "/health/live"))
      }

      try await expectExchange(server, trusting: "server.pem")
    }

    @Test func `a server on all addresses asks for the name that clients state`() async throws {
      try await openSSL.makeCertificate("server")

      let server = try await tool.serve(
        ["--host", "0.0.0.0"] + options("server.pem", "server.key"))
      let port = try #require(server.port)

      #expect(server.address?.scheme == "https")
      #expect(server.address?.host() == "0.0.0.0")
      #expect(
        server.output.contains("URL(string: \"https://NAME-OF-THIS-COMPUTER:\(port)\")"),
        "\(server.output)")
      #expect(!server.output.contains("0.0.0.0"))
    }

    @Test func `a restart reads a renewed certificate`() async throws {
      try await openSSL.makeCertificate("server")
      let server = try await tool.serve(options("server.pem", "server.key"))
      let token = try #require(server.token)
      _ = await onNewThread { server.stop() }
      try await openSSL.makeCertificate("server")
      let branch = try tool.branch()

      let second = try await tool.serve(options("server.pem", "server.key"))

      try await second.synchronise(branch, token, trusting: file("server.pem"))
      #expect(second.isRunning)
    }

    // MARK: Faulty files

    /// Starts a server with a certificate and a key, and expects that it ends with an error.
    private func expectError(
      _ certificate: String, _ key: String, _ reasons: String...
    ) async throws {
      let result = try await tool.run(["--port", "0"] + options(certificate, key))

      #expect(result.status == 1)
      #expect(!result.wasKilledBySignal)
      #expect(result.output.isEmpty)
      for reason in reasons { #expect(result.errors.contains(reason), "\(result.errors)") }
      #expect(!FileManager.default.fileExists(atPath: tool.data))
    }

    @Test(arguments: ["missing.pem", "empty.pem", "text.pem", "cut.pem", "server.key", "folder"])
    func `a file that contains no certificate ends the start with an error`(
      name: String
    ) async throws {
      try await openSSL.makeCertificate("server")
      try tool.directory.write("", to: "empty.pem")
      try tool.directory.write("a certificate of the library", to: "text.pem")
      try tool.directory.write(
        String(try tool.directory.read("server.pem").dropLast(200)), to: "cut.pem")
      try FileManager.default.createDirectory(
        at: file("folder"), withIntermediateDirectories: false)

      try await expectError(
        name, "server.key", "cannot use the certificate file", "/\(name)\"",
        "no valid certificate in the PEM format")
    }

    @Test(arguments: ["missing.key", "empty.key", "server.pem", "encrypted.key", "folder"])
    func `a file that contains no usable private key ends the start with an error`(
      name: String
    ) async throws {
      try await openSSL.makeCertificate("server")
      try tool.directory.write("", to: "empty.key")
      try await openSSL.run([
        "pkcs8", "-topk8", "-in", tool.directory.file("server.key"), "-passout", "pass:secret",
        "-out", tool.directory.file("encrypted.key"),
      ])
      try FileManager.default.createDirectory(
        at: file("folder"), withIntermediateDirectories: false)

      try await expectError(
        "server.pem", name, "cannot use the private key file", "/\(name)\"",
        "no private key in the PEM format")
    }

    @Test func `the private key of another certificate ends the start with an error`() async throws
    {
      try await openSSL.makeCertificate("server")
      try await openSSL.makeCertificate("other")

      try await expectError(
        "server.pem", "other.key", "cannot use the private key file", "/other.key\"",
        "it does not match the certificate", "/server.pem\"")
    }
  }
#endif
