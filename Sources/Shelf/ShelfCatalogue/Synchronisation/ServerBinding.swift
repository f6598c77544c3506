import Undercroft

/// The location and the scope of the server with which a catalogue is synchronised.
struct ServerBinding: Codable, Sendable, Equatable {
  /// The path of the server's folder.
  let folder: String
  /// The identifier of the scope on the server.
  ///
  /// The identifier contains a random UUID, and so distinguishes the server from other servers.
  let scope: String

  private enum CodingKeys: String, CodingKey {
    case folder = "folder"
    case scope = "scope"
  }
}

extension StorageKey<ServerBinding?> {
  /// The key under which a catalogue stores its ``ServerBinding``.
  static var server: Self { Self("synchronisation/server", kind: .document) }
}
