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
  /// What stands before every name of this kind in the store: of layers, then of the kind where several share it.
  public let prefix: String
  /// Whether values of this kind must never be shown unasked.
  public let isConfidential: Bool
  /// Whether a layer seals names and values before the backend gets them.
  public let isSealed: Bool
}
