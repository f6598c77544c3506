/// A description of the route of one kind of data to its backend, for manifests, tools and logs.
///
/// The description is known without opening the backend.
public struct RouteDescription: Sendable, Hashable {
  /// The name of the kind of data that the route serves.
  public let kind: String
  /// The location of the store, or `nil` if it is in memory only.
  public let address: BackendAddress?
  /// The short name of the backend that stores this kind of data.
  public let backend: String
  /// The name of the codec that encodes this kind of data.
  public let codec: String
  /// The prefix of every name of this kind in the store.
  ///
  /// The prefix consists of the prefixes of the layers, followed
  /// by the prefix of the kind if several kinds share the backend.
  public let prefix: String
  /// Whether tools hide the values of this kind unless the user asks for them.
  public let isConfidential: Bool
  /// Whether a layer encrypts names and values before the backend receives them.
  public let isEncrypted: Bool
}
