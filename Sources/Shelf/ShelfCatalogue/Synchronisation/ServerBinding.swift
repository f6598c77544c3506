import Undercroft

/// The server and the scope with which a catalogue is synchronised.
struct ServerBinding: Codable, Sendable, Equatable {
  /// The place of a server.
  enum Server: Sendable, Equatable {
    /// A server on this machine, in the folder with the given path.
    case folder(String)
    /// A server in a network, with its address and the account that the server knows.
    case network(address: String, account: String)
  }

  let server: Server
  /// The identifier of the scope on the server.
  ///
  /// For a server in a folder, the identifier contains a random UUID, and so distinguishes the
  /// server from other servers.
  let scope: String

  /// The account of a server in a folder, which has only one.
  static let localAccount = "shelf"

  var account: String {
    switch server {
    case .folder: Self.localAccount
    case .network(_, let account): account
    }
  }

  /// The path or the address of the server, for messages.
  var serverText: String {
    switch server {
    case .folder(let path): path
    case .network(let address, _): address
    }
  }

  init(_ server: Server, scope: String) { (self.server, self.scope) = (server, scope) }

  private enum CodingKeys: String, CodingKey {
    case folder = "folder"
    case address = "address"
    case account = "account"
    case scope = "scope"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    scope = try container.decode(String.self, forKey: .scope)
    if let address = try container.decodeIfPresent(String.self, forKey: .address) {
      let account = try container.decode(String.self, forKey: .account)
      server = .network(address: address, account: account)
    } else {
      server = .folder(try container.decode(String.self, forKey: .folder))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(scope, forKey: .scope)
    switch server {
    case .folder(let path): try container.encode(path, forKey: .folder)
    case .network(let address, let account):
      try container.encode(address, forKey: .address)
      try container.encode(account, forKey: .account)
    }
  }
}

extension StorageKey<ServerBinding?> {
  /// The key under which a catalogue stores its ``ServerBinding``.
  static var server: Self { Self("synchronisation/server", kind: .document) }
}
