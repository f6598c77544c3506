#if SyncHTTP
  import Foundation
  import TestSupport
  import Testing
  import Undercroft
  import UndercroftSync
  import UndercroftSyncHTTP

  // The code of Docs/Guides/SyncingOverANetwork.md.

  nonisolated extension StorageKey<String?> {
    static var syncToken: Self { Self("sync-token", kind: .secret) }
  }

  private func makePeer(
    _ server: URL, _ options: HTTPSyncOptions, _ storage: Storage,
    logIn: @escaping @Sendable () async throws -> String
  ) -> HTTPSyncPeer {
    HTTPSyncPeer(server: server, options: options) { request in
      if request == .initial, let token = try storage.load(.syncToken) { return token }
      let token = try await logIn()  // the server has refused the token, or there is none
      try storage.save(token, for: .syncToken)
      return token
    }
  }

  private func openLibrary(_ database: Database, _ peer: HTTPSyncPeer) throws -> SyncEngine {
    try database.execute(
      "CREATE TABLE IF NOT EXISTS book(id TEXT PRIMARY KEY NOT NULL, title TEXT)")
    return try SyncEngine(
      database, scope: "library:ann", account: "ann", tables: [SyncedTable("book")], peer: peer)
  }

  private func message(for error: StorageError) -> String {
    switch error.code {
    case .unavailable: "You are offline. Your changes will be sent later."
    case .accessDenied: "Log in again to synchronise."
    case .full: "Your storage on the server is full."
    case .notSupported: "Install a newer version to synchronise."
    default: error.description
    }
  }

  private func makeOptions(certificates: URL) -> HTTPSyncOptions {
    var options = HTTPSyncOptions()
    options.attempts = 1
    options.trustedCertificates = certificates
    options.proxy = .none
    return options
  }

  @Suite struct SyncingOverANetworkTests {
    @Test func `an error of the network guide's peer has a message, and the token is stored`()
      async throws
    {
      var options = HTTPSyncOptions()
      (options.attempts, options.proxy) = (1, .none)
      let storage = try Storage.inMemory()
      // No service uses port 1.
      let address = try #require(URL(string: "http://127.0.0.1:1"))
      let peer = makePeer(address, options, storage) { "ucs_token" }
      let engine = try openLibrary(try Database.inMemory(), peer)

      let error = await #expect(throws: StorageError.self) { try await engine.sync() }
      await peer.close()

      #expect(try storage.load(.syncToken) == "ucs_token")
      let shown = try message(for: #require(error))
      #expect(shown == "You are offline. Your changes will be sent later.")
    }

    @Test func `the network guide's options state certificates of the application`() {
      let file = URL(filePath: "/etc/library/ca.pem")

      let options = makeOptions(certificates: file)

      #expect(options.trustedCertificates == file)
    }
  }
#endif
