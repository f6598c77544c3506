import Foundation
import Undercroft
import UndercroftSync

extension Catalogue {
  /// Opens the server through which this catalogue and `other` are synchronised, and stores a
  /// ``ServerBinding`` to the server in both catalogues.
  ///
  /// If neither catalogue has a binding, the server is created if it does not exist.
  ///
  /// - Parameters:
  ///   - other: the other catalogue.
  ///   - folder: the folder of the server, or `nil` for the folder in the binding of a catalogue.
  ///   - standard: the folder of the server if `folder` is `nil` and neither catalogue has a
  ///     binding.
  /// - Throws: ``NotFound`` if the catalogues are bound to different servers, or if the server to
  ///   which one of them is bound is not in the folder.
  func openServer(
    sharedWith other: Catalogue, in folder: URL?, standard: URL
  ) throws -> (server: HomeServer, scope: ScopeIdentifier) {
    let (own, others) = (try storage.load(.server), try other.storage.load(.server))
    for (home, binding) in [(self, own), (other, others)] {
      guard case .network(let address, _) = binding?.server else { continue }
      throw NotFound(
        """
        cannot synchronise the home \(homeText) with the home \(other.homeText): the home \
        \(home.homeText) is connected with the server \(address.debugDescription); run shelf sync \
        --home HOME without --with for each home
        """)
    }
    if let own, let others, own.scope != others.scope {
      throw NotFound(
        """
        cannot synchronise the home \(homeText) with the home \(other.homeText): both homes are \
        already synchronised, but not with each other: the first one through the server in \
        \(own.serverText.debugDescription), the second one through the server in \
        \(others.serverText.debugDescription); run shelf sync --stop --home HOME for one of the two \
        homes first
        """)
    }
    let known = own ?? others
    let place = folder ?? known.map { URL(filePath: $0.serverText) } ?? standard
    if known != nil, !HomeServer.exists(in: place) { throw Self.noServer(in: place) }
    let server = try HomeServer(in: place)
    let scope = ScopeIdentifier(known?.scope ?? "shelf:\(UUID().uuidString.lowercased())")
    if known == nil {
      // Creates the scope, so that a later call can verify that it opens the same server.
      try server.server.restoreEpoch(of: scope)
    } else if try server.server.head(of: scope) == nil {
      throw Self.noServer(in: place)
    }
    let binding = ServerBinding(.folder(place.path), scope: scope.text)
    if own != binding { try storage.save(binding, for: .server) }
    if others != binding { try other.storage.save(binding, for: .server) }
    return (server, scope)
  }

  private static func noServer(in folder: URL) -> NotFound {
    NotFound(
      """
      cannot synchronise the homes: the server of the homes is not in \
      \(folder.path.debugDescription); pass the folder of the server with --server, or run shelf \
      sync --stop in both homes
      """)
  }
}
