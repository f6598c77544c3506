public import UndercroftFoundation

/// The location of a store and the short name of its backend, as stored in the manifest.
public struct BackendAddress: Sendable, Hashable {
  /// The short name of the backend, such as "gdbm", by which tools choose how to open the store.
  public let scheme: String

  /// The file or folder of the store.
  public let url: URL

  /// Creates an address from the short name of a backend and the location of its store.
  public init(scheme: String, url: URL) {
    self.scheme = scheme
    self.url = url
  }
}
