/// What can be told of a route without opening it: for manifests, tools and logs.
public struct RouteDescription: Sendable, Hashable {
  /// The name of the kind.
  public let kind: String
  /// Where the store is, or `nil` when it is in memory only.
  public let address: BackendAddress?
  /// The short name of the backend.
  public let backend: String
  /// The name of the codec.
  public let codec: String
  /// What stands before every name of this kind in the backend; empty unless kinds share it.
  public let prefix: String
  /// Whether values of this kind must never be shown unasked.
  public let isConfidential: Bool
}
