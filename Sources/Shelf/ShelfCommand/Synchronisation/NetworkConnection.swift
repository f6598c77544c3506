import Foundation
import ShelfCatalogue
import Undercroft
import UndercroftSync

#if SyncHTTP
  import UndercroftSyncHTTP
#endif

/// The connection of a command with the server of a home.
enum NetworkConnection {
  /// Passes a peer to `body`, and closes its connections afterwards.
  ///
  /// - Throws: a `StorageError` with the code `notSupported` without the trait SyncHTTP.
  static func with<Result>(
    _ catalogue: Catalogue, _ body: (any SyncPeer) async throws -> Result
  ) async throws -> Result {
    #if SyncHTTP
      let server = try catalogue.networkServer()
      let peer = HTTPSyncPeer(server: try url(server.address)) { request in
        switch request {
        case .initial: try catalogue.serverToken()
        case .refused(let token): try catalogue.serverToken(replacing: token)
        }
      }
      do {
        let result = try await body(peer)
        await peer.close()
        return result
      } catch {
        await peer.close()
        throw error
      }
    #else
      throw missingTrait
    #endif
  }

  /// Throws a `StorageError` with the code `notSupported` without the trait SyncHTTP.
  static func requireTrait() throws {
    #if !SyncHTTP
      throw missingTrait
    #endif
  }

  /// Returns the URL of an address.
  ///
  /// - Throws: ``NotFound`` if the text is not the address of a server.
  static func url(_ address: String) throws -> URL {
    guard let url = URL(string: address), ["http", "https"].contains(url.scheme?.lowercased()),
      url.host?.isEmpty == false
    else {
      throw NotFound(
        """
        cannot use the address \(address.debugDescription): it is not the address of a server; \
        pass an address such as https://sync.example.org
        """)
    }
    return url
  }

  #if !SyncHTTP
    private static var missingTrait: StorageError {
      StorageError(
        .notSupported,
        "cannot synchronise over a network: shelf was built without the package trait SyncHTTP",
        suggestion: "build it with swift build --enable-all-traits --product shelf")
    }
  #endif
}
