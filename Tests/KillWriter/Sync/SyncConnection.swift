import ArgumentParser
import Foundation
import UndercroftSync

#if SyncHTTP && SyncServer
  import UndercroftSyncHTTP
#endif

/// The options by which a client process connects to its server.
struct SyncConnection: ParsableArguments {
  @Option(help: "The port of a server over HTTP; by default, the socket in the folder.")
  var port: Int?
  @Option(help: "The token for the server over HTTP.") var token: String?

  /// Returns a peer that connects to the server.
  func peer(in place: SyncPlace) -> any SyncPeer {
    #if SyncHTTP && SyncServer
      if let port, let token { return Self.peer(port: port, token: token) }
    #endif
    return SocketPeer(path: place.socket)
  }

  #if SyncHTTP && SyncServer
    /// Returns a peer that fails soon, so that the client also makes changes while no server
    /// answers.
    static func peer(port: Int, token: String) -> HTTPSyncPeer {
      var options = HTTPSyncOptions()
      options.attempts = 2
      options.shortestBackOff = .milliseconds(50)
      options.proxy = .none
      var address = URLComponents()
      (address.scheme, address.host, address.port) = ("http", "127.0.0.1", port)
      return HTTPSyncPeer(server: address.url ?? URL(filePath: "/"), options: options) { _ in
        token
      }
    }
  #endif
}
