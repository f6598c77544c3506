#if SyncServer && SyncHTTP
  package import Foundation
  package import UndercroftSQLite
  import UndercroftSync
  package import UndercroftSyncHTTP

  extension ServerProcess {
    /// Returns a peer that sends its requests to this server.
    ///
    /// - Parameter certificates: the file with the certificates that the peer trusts in addition to
    ///   those of the system.
    package func peer(_ token: String, trusting certificates: URL? = nil) throws -> HTTPSyncPeer {
      guard let address else { throw Failure(description: "the server does not listen") }
      var options = HTTPSyncOptions()
      options.proxy = .none
      options.trustedCertificates = certificates
      return HTTPSyncPeer(server: address, options: options) { _ in token }
    }

    /// Synchronises the table of books of a database with the scope "library" of this server.
    package func synchronise(
      _ database: Database, _ token: String, account: String = "owner",
      trusting certificates: URL? = nil
    ) async throws {
      let peer = try peer(token, trusting: certificates)
      let engine = try SyncEngine(
        database, scope: "library", account: account, tables: [SyncedTable("book")], peer: peer)
      do { _ = try await engine.sync() } catch {
        await peer.close()
        throw error
      }
      await peer.close()
    }
  }
#endif
