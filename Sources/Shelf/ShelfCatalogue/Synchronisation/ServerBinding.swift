import Undercroft

/// The server with which a home is synchronised.
struct ServerBinding: Codable, Sendable, Equatable {
  /// The path of the server's folder.
  let folder: String
  /// The scope, whose random name distinguishes the server from every other one.
  let scope: String

  private enum CodingKeys: String, CodingKey {
    case folder = "folder"
    case scope = "scope"
  }
}

extension StorageKey<ServerBinding?> {
  /// The key under which a home stores its ``ServerBinding``.
  static var server: Self { Self("synchronisation/server", kind: .document) }
}
