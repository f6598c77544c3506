import Foundation
import Undercroft
import UndercroftSync

extension Catalogue {
  /// Opens the server with which this home and another one are synchronised, and binds both homes
  /// to the server.
  ///
  /// - Parameters:
  ///   - folder: the folder of the server, or `nil` for the one to which a home is bound.
  ///   - standard: the folder of a new server if `folder` is `nil`.
  /// - Throws: ``NotFound`` if the homes are bound to different servers, or if their server does
  ///   not exist.
  func openServer(
    sharedWith other: Catalogue, in folder: URL?, standard: URL
  ) throws -> (server: HomeServer, scope: ScopeIdentifier) {
    let (own, others) = (try storage.load(.server), try other.storage.load(.server))
    if let own, let others, own.scope != others.scope {
      throw NotFound(
        """
        cannot synchronise the homes: the homes are synchronised with different servers, in \
        \(own.folder.debugDescription) and in \(others.folder.debugDescription); run shelf sync \
        --stop in one of the homes first
        """)
    }
    let known = own ?? others
    let place = folder ?? known.map { URL(filePath: $0.folder) } ?? standard
    if known != nil, !HomeServer.exists(in: place) { throw Self.noServer(in: place) }
    let server = try HomeServer(in: place)
    let scope = ScopeIdentifier(known?.scope ?? "shelf:\(UUID().uuidString.lowercased())")
    if known == nil {
      // Creates the scope, so that a later call can verify that it opens the same server.
      try server.server.restoreEpoch(of: scope)
    } else if try server.server.head(of: scope) == nil {
      throw Self.noServer(in: place)
    }
    let binding = ServerBinding(folder: place.path, scope: scope.text)
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
