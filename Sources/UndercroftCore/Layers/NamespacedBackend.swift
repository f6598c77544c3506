public import UndercroftFoundation

/// A backend that adds a prefix to every name, so that
/// several parts of an application can share one backend.
public struct NamespacedBackend: LayeredBackend {
  private let upstream: any StorageBackend
  private let prefix: String

  /// Creates a backend that adds `namespace`, in normalisation
  /// form C, and a slash to every name in `upstream`.
  public init(_ upstream: any StorageBackend, namespace: String) {
    self.upstream = upstream
    self.prefix = Self.prefix(namespace)
  }

  fileprivate static func prefix(_ namespace: String) -> String { Name.normal(namespace) + "/" }

  public var upstreams: [any StorageBackend] { [upstream] }
  public func upstreamName(of name: String) -> String? { prefix + name }
  public var name: String { upstream.name }
  public var location: URL? { upstream.location }
  public var capabilities: Capabilities {
    upstream.capabilities.subtracting(.lostInLayers)
  }

  public func read(_ key: String) throws(StorageError) -> Data? {
    do { return try upstream.read(prefix + key) } catch { throw unprefixed(error) }
  }

  public func apply(_ changes: [StorageChange]) throws(StorageError) {
    do {
      try upstream.apply(changes.map { $0.renamed(prefix + $0.name) })
    } catch {
      throw unprefixed(error)
    }
  }

  public func keys(withPrefix wanted: String) throws(StorageError) -> [String] {
    try upstream.keys(withPrefix: prefix + wanted).map(unprefixed)
  }

  /// Returns `key` without the prefix.
  ///
  /// The prefix ends in a slash. If a combining accent follows the slash, Swift treats both as a
  /// single `Character`. The prefix is therefore removed by UTF-8 bytes, and not by characters.
  private func unprefixed(_ key: String) -> String {
    String(decoding: key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  private func unprefixed(_ error: StorageError) -> StorageError {
    var error = error
    if let key = error.key, key.utf8.starts(with: prefix.utf8) { error.key = unprefixed(key) }
    return error
  }
}

extension BackendChoice {
  /// Returns this choice with `namespace` and a slash added before every name.
  public func namespaced(_ namespace: String) -> BackendChoice {
    wrapped(
      removing: .lostInLayers, prefix: NamespacedBackend.prefix(namespace)
    ) { NamespacedBackend($0, namespace: namespace) }
  }
}
