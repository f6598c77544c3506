#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where a store is and what opens it: what the manifest writes down and a tool reads.
public struct BackendAddress: Sendable, Hashable {
  /// The word that finds the opener, such as "gdbm".
  public let scheme: String

  /// The file or folder of the store.
  public let url: URL

  /// Makes an address.
  public init(scheme: String, url: URL) {
    self.scheme = scheme
    self.url = url
  }
}
