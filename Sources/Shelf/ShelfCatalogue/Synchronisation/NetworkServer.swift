import Undercroft

/// A server in a network with which a catalogue is synchronised.
public struct NetworkServer: Sendable, Equatable {
  /// The address, such as `https://sync.example.org`.
  public let address: String
  /// The name by which the server knows the account of the token.
  public let account: String
  /// The part of the server's data that contains the rows of the catalogue.
  public let scope: String

  /// Creates a description of a server.
  ///
  /// - Parameters:
  ///   - address: the address.
  ///   - account: the account of the token.
  ///   - scope: the scope, or `nil` for a scope with the name of the account.
  public init(address: String, account: String, scope: String? = nil) {
    self.address = address
    self.account = account
    self.scope = scope ?? "shelf:\(account)"
  }

  var binding: ServerBinding {
    ServerBinding(.network(address: address, account: account), scope: scope)
  }
}

extension StorageKey<String?> {
  /// The key of the token for the server in a network.
  static var serverToken: Self { Self("synchronisation/token", kind: .secret) }
}
