public import UndercroftFoundation

/// A request of a replica to a server.
public struct SyncRequest: Sendable, Hashable {
  /// The kind of a request, which is also the last part of its path in HTTP.
  public enum Endpoint: String, Sendable, Hashable, CaseIterable {
    /// The first request, which asks for limits and for the state of scopes.
    case hello = "hello"
    /// A packet of operations of the replica.
    case push = "push"
    /// A request for changes of other replicas.
    case pull = "pull"
    /// A request for the digest of all rows of a scope.
    case digest = "digest"
  }

  /// The kind of the request.
  public var endpoint: Endpoint
  /// The message as JSON. (Docs/Formats/SyncWire.md)
  public var body: Data

  /// Creates a request from its parts.
  public init(_ endpoint: Endpoint, body: Data) {
    self.endpoint = endpoint
    self.body = body
  }
}
