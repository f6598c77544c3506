public import UndercroftFoundation

/// The location of a store and the scheme of its backend, as stored in the manifest.
public struct BackendAddress: Sendable, Hashable {
  /// The scheme of the backend, such as "gdbm".
  public let scheme: String

  /// The file or folder of the store.
  public let url: URL

  /// Creates an address from the scheme of a backend and the location of its store.
  public init(scheme: String, url: URL) {
    self.scheme = scheme
    self.url = url
  }
}
